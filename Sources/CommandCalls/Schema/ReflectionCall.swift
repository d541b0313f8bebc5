import CommandShell
import Tripwire
import WireGRPCServer

/// A reflection call: with grpc.reflection.v1 or, if that fails, with v1alpha, which is the same on the
/// wire. If the server ends the stream, the next request opens another.
final class ReflectionCall {
  private let channel: Channel
  private let options: CallOptions
  private let tokens: TokenCache?
  /// The deadline for all streams.
  private let deadline: ContinuousClock.Instant?
  /// The open stream; nil before its first response.
  private var stream: StreamingCall?
  /// The version that the server has; nil before the first response.
  private var version: Version?

  private enum Version: String {
    case v1
    case v1alpha
  }

  init(_ channel: Channel, _ options: CallOptions, _ tokens: TokenCache?) {
    self.channel = channel
    self.options = options
    self.tokens = tokens
    deadline = Timeout.deadline(options.timeout, from: .now)
  }

  /// Ends the call, and waits until it has ended.
  func end() async {
    stream?.cancel()
    _ = try? await stream?.next()
  }

  /// Returns the response; nil for NOT_FOUND.
  func response(
    to request: ServerReflectionRequest
  ) async throws(CallError) -> ServerReflectionResponse.MessageResponse? {
    guard let response = try await streamResponse(to: request) else { return nil }
    guard case .errorResponse(let error)? = response.messageResponse else {
      return response.messageResponse
    }
    let code = StatusCode(rawValue: Int(error.errorCode))
    if code == .notFound { return nil }
    throw CallError(
      code: code == .ok ? .unknown : code, message: error.errorMessage, origin: .server)
  }

  // MARK: Streams

  /// Returns the response; nil if the server ends the stream with NOT_FOUND, as some do for an unknown
  /// symbol or file.
  private func streamResponse(
    to request: ServerReflectionRequest
  ) async throws(CallError) -> ServerReflectionResponse? {
    do throws(CallError) {
      if let stream {
        if let response = try await responseIfOpen(to: request, on: stream) { return response }
        self.stream = nil
      }
      return try await openStream(with: request)
    } catch {
      guard version != nil, error.isFromServer, error.code == .notFound else { throw error }
      stream = nil
      return nil
    }
  }

  /// Returns the response; nil if the server has ended the stream.
  private func responseIfOpen(
    to request: ServerReflectionRequest, on stream: StreamingCall
  ) async throws(CallError) -> ServerReflectionResponse? {
    do throws(CallError) {
      return try await response(to: request, on: stream)
    } catch {
      guard error.isFromServer, error.code != .notFound else { throw error }
      return nil
    }
  }

  private func openStream(
    with request: ServerReflectionRequest
  ) async throws(CallError) -> ServerReflectionResponse {
    if let version { return try await open(version, with: request) }
    do throws(CallError) {
      return try await open(.v1, with: request)
    } catch {
      // A server or a proxy may answer any status for a service that it does not have.
      guard error.isFromServer else { throw error }
      let failure = error
      do throws(CallError) {
        return try await open(.v1alpha, with: request)
      } catch {
        throw failure.code == .unimplemented ? error : failure
      }
    }
  }

  private func open(
    _ version: Version, with request: ServerReflectionRequest
  ) async throws(CallError) -> ServerReflectionResponse {
    var options = options
    options.timeout = deadline.map { $0 - .now }
    return try await withToken(of: tokens, on: channel, for: .any, options) {
      attempt throws(CallError) in
      let stream = channel.open(
        path:
          "\(TraceTimes.reflectionPrefix)\(version.rawValue).ServerReflection/ServerReflectionInfo",
        kind: .bidirectional, options: attempt.options, refusal: attempt.refusal)
      guard let response = try await response(to: request, on: stream) else {
        throw CallError.transport(
          .internal, "the reflection service closed the stream without a response")
      }
      self.stream = stream
      self.version = version
      return response
    }
  }

  /// Returns the response; nil if the server ends the stream with OK.
  private func response(
    to request: ServerReflectionRequest, on stream: StreamingCall
  ) async throws(CallError) -> ServerReflectionResponse? {
    do throws(CallError) {
      try await stream.send(request.serializedBytes())
    } catch {
      // The end of the stream has the reason.
      while try await stream.next() != nil {}
      return nil
    }
    guard let bytes = try await stream.next() else { return nil }
    do throws(DecodingError) {
      return try ServerReflectionResponse(serializedBytes: bytes)
    } catch {
      throw .transport(
        .internal, "the reflection service returned an invalid response: \(error)")
    }
  }
}

extension CallError {
  /// Whether the server or a proxy ended the call. Another call may end in another way.
  fileprivate var isFromServer: Bool { origin != .local && connectionFailure == nil }
}
