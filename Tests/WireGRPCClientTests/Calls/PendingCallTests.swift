import Testing
import WireGRPC
import WireSystem

@testable import WireGRPCClient

@Suite struct PendingCallTests {
  private let exchange = CallExchange(creditStep: 1)

  private func call(
    _ message: [UInt8]?, _ options: CallOptions = CallOptions(), refusal: CallError? = nil
  ) -> PendingCall {
    PendingCall(
      id: 7, path: "/s/m", kind: .serverStreaming, message: message, options: options,
      refusal: refusal)
  }

  /// Returns the request that the loop takes, or the error of the call.
  private func request(_ call: PendingCall) -> Result<(bytes: [UInt8], isLast: Bool)?, CallError> {
    Result { () throws(CallError) in
      _ = try call.request(at: .now, LastMetadata(), for: .exchange(exchange))
      var wakers: [CallExchange.Waker] = []
      return exchange.requests.withLock { $0.take(waking: &wakers) }
    }
  }

  private func error(_ call: PendingCall) -> CallError? {
    if case .failure(let error) = request(call) { error } else { nil }
  }

  @Test func theOnlyMessageIsTheWholeRequest() throws {
    let taken = try request(call([1, 2])).get()
    #expect(taken?.bytes == framed([1, 2]))
    #expect(taken?.isLast == true)
  }

  @Test func theCallerSendsTheOtherMessages() throws {
    #expect(try request(call(nil)).get() == nil)
  }

  @Test func invalidCallsAreNotSent() {
    var metadata = Metadata()
    metadata.append(unchecked: "Upper Case", .text("x"))
    #expect(error(call([1, 2], CallOptions(metadata: metadata)))?.code == .internal)
    #expect(error(call([1, 2], CallOptions(maxReceiveMessageSize: -1)))?.code == .internal)
    #expect(error(call([1, 2], CallOptions(maxSendMessageSize: -1)))?.code == .internal)
    #expect(error(call([1, 2], CallOptions(maxSendMessageSize: 1)))?.code == .resourceExhausted)
    var wakers: [CallExchange.Waker] = []
    let taken = exchange.requests.withLock { $0.take(waking: &wakers) }
    #expect(taken == nil)
  }

  @Test func theRefusalIsTheFirstError() {
    let refusal = CallError.local(.unauthenticated, "no token")
    let call = call([1, 2], CallOptions(maxReceiveMessageSize: -1), refusal: refusal)
    #expect(error(call) == refusal)
  }

  @Test func preparedHeadersReplaceTheMetadata() throws {
    var call = call([1], CallOptions(metadata: ["a": "1"]))
    call.headers = try PreparedMetadata(["b": "2"])
    let request = try call.request(at: .now, LastMetadata(), for: .exchange(exchange))
    #expect(request.metadata == ["b": "2"])
  }

  /// Observers see what the caller wanted to send, uncompressed.
  @Test func unsentRequestHasTheMessage() {
    let message = [UInt8](repeating: 0, count: 1000)
    let options = CallOptions(
      metadata: ["a": "1"], maxSendMessageSize: 2, compression: .gzip)
    let unsent = call(message, options).unsentRequest(at: .now, for: .exchange(exchange))
    #expect(unsent.metadata == ["a": "1"])
    var wakers: [CallExchange.Waker] = []
    let taken = exchange.requests.withLock { $0.take(waking: &wakers) }
    #expect(taken?.bytes == framed(message))
  }
}
