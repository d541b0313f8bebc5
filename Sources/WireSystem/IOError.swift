/// A system call that failed: which one, on what, and why.
public struct IOError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operating system's error number. The named ones are those a caller tells apart.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// Nothing listens at the address, or a firewall says so.
    public static let connectionRefused = Code(rawValue: ECONNREFUSED)
    /// The peer dropped the connection without closing it properly.
    public static let connectionReset = Code(rawValue: ECONNRESET)
    /// Written to a connection whose other end is gone.
    public static let brokenPipe = Code(rawValue: EPIPE)
    /// The kernel gave up waiting for the peer.
    public static let timedOut = Code(rawValue: ETIMEDOUT)
    /// No route to the network, for example IPv6 on a host that has none.
    public static let networkUnreachable = Code(rawValue: ENETUNREACH)
    /// No route to the host.
    public static let hostUnreachable = Code(rawValue: EHOSTUNREACH)
    /// No such file, for example the path of a unix socket.
    public static let noSuchFile = Code(rawValue: ENOENT)
    /// There is something already.
    package static let fileExists = Code(rawValue: EEXIST)
    /// The address is already in use by another listener.
    public static let addressInUse = Code(rawValue: EADDRINUSE)
    /// The system has no IPv6, say.
    package static let addressFamilyNotSupported = Code(rawValue: EAFNOSUPPORT)
    /// None of this machine's addresses.
    package static let addressNotAvailable = Code(rawValue: EADDRNOTAVAIL)
    /// The permissions of a unix socket, or a firewall, forbid it.
    public static let accessDenied = Code(rawValue: EACCES)
    /// The process has no file descriptor left.
    public static let tooManyOpenFiles = Code(rawValue: EMFILE)
    /// Given up by the one who waited for it.
    package static let cancelled = Code(rawValue: ECANCELED)
    /// Not with a file, or a socket, of this kind.
    package static let notSupported = Code(rawValue: ENOTSUP)
    /// Taken by another; for a lock, by another process.
    package static let wouldBlock = Code(rawValue: EWOULDBLOCK)
    /// A unix socket path that does not fit.
    public static let nameTooLong = Code(rawValue: ENAMETOOLONG)

    /// The operating system's words, for example "Connection refused".
    public var description: String {
      guard let text = unsafe strerror(rawValue) else { return "error \(rawValue)" }
      return unsafe String(cString: text)
    }
  }

  /// Why it failed.
  public let code: Code
  /// What was being done, and on what: "connect to 127.0.0.1:50051".
  public let operation: String

  public init(code: Code, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// Reads `errno`, so make it straight after the call that failed.
  package init(operation: String) {
    self.init(code: Code(rawValue: errno), operation: operation)
  }

  /// "connect to 127.0.0.1:50051: Connection refused"
  public var description: String {
    "\(operation): \(code)"
  }
}
