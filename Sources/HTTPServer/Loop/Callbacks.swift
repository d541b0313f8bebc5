import CEvent
import WireSystem

/// Runs `body` on the loop that libevent passes.
func withLoop(_ user: UnsafeMutableRawPointer?, _ body: (ServerLoop) -> Void) {
  guard let user = unsafe user else { return }
  unsafe Unmanaged<ServerLoop>.fromOpaque(user)._withUnsafeGuaranteedRef { body($0) }
}

func setOptions(ofSocket descriptor: Int32) {
  _ = SystemCalls.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  // The kernel would keep megabytes of old states for a page that does not read.
  _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, 64 << 10)
}

extension timeval {
  init(_ duration: Duration) {
    self.init()
    let (seconds, attoseconds) = duration.components
    tv_sec = .init(clamping: seconds)
    tv_usec = .init(clamping: attoseconds / 1_000_000_000_000)
  }
}
