package import WireIO
import WireTLS

/// A tunnel through a proxy: requests it at the proxy below, and then passes bytes through.
package final class ProxyTunnel: ByteStream, ByteStreamUser {
  package var user: (any ByteStreamUser)?
  package private(set) var isOpen = false
  private let lower: any ByteStream
  private let loop: EventLoop
  private var request: [UInt8]
  private var answer: ConnectResponse
  private var hasConnected = false
  private var timer: LoopTimer?

  /// The time that a proxy has to send the page that explains its refusal.
  private static let pageTime = Duration.milliseconds(500)

  package init(over lower: any ByteStream, _ request: ConnectRequest, loop: EventLoop) {
    self.lower = lower
    self.loop = loop
    self.request = request.bytes
    answer = ConnectResponse(hadCredentials: request.proxy.authorization != nil)
    lower.user = self
  }

  package func flush() {
    lower.flush()
  }

  // MARK: ByteStreamUser

  package func streamReached(_ stage: StreamStage) {
    hasConnected = true
    if case .secured(let session) = stage {
      user?.streamReached(.proxySecured(session))
    } else {
      user?.streamReached(stage)
    }
  }

  package func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    guard !isOpen else {
      unsafe user?.streamReceived(bytes)
      return
    }
    guard user != nil else { return }
    switch unsafe answer.receive(Array(bytes)[...]) {
    case .wait:
      break
    case .open(let surplus):
      isOpen = true
      user?.streamReached(.tunneled)
      if !surplus.isEmpty {
        unsafe surplus.withUnsafeBytes { unsafe user?.streamReceived($0) }
      }
    case .waitForBody:
      guard timer == nil else { break }
      timer = loop.schedule(after: Self.pageTime) { [self] in
        end(.proxyFailed(answer.end()))
      }
    case .fail(let error):
      end(.proxyFailed(error))
    }
  }

  package func streamPaused() {
    if isOpen { user?.streamPaused() }
  }

  package func streamFill(_ buffer: inout [UInt8]) {
    buffer += request
    request = []
    if isOpen { user?.streamFill(&buffer) }
  }

  package func streamEnded(_ end: StreamEnd) {
    guard hasConnected, !isOpen else {
      self.end(end)
      return
    }
    if case .tlsFailed(let error) = end, error.kind != .truncated {
      self.end(.proxyFailed(.tls(error)))
    } else {
      self.end(.proxyFailed(answer.end()))
    }
  }

  // MARK: The end

  private func end(_ end: StreamEnd) {
    guard let user else { return }
    close()
    user.streamEnded(end)
  }

  package func close() {
    isOpen = false
    user = nil
    timer?.cancel()
    timer = nil
    lower.close()
  }
}
