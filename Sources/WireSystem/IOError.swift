/// A failed system call: the operation, its object and the reason.
public struct IOError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operating system's error number. The named ones are those that callers distinguish.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32

    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// Nothing listens at the address, or a firewall rejects the connection.
    public static let connectionRefused = Code(rawValue: ECONNREFUSED)
    /// The peer dropped the connection without closing it properly.
    public static let connectionReset = Code(rawValue: ECONNRESET)
    /// The peer has closed the connection.
    public static let brokenPipe = Code(rawValue: EPIPE)
    /// The kernel gave up waiting for the peer.
    public static let timedOut = Code(rawValue: ETIMEDOUT)
    /// No route to the network, for example IPv6 on a host that has none.
    public static let networkUnreachable = Code(rawValue: ENETUNREACH)
    /// No route to the host.
    public static let hostUnreachable = Code(rawValue: EHOSTUNREACH)
    /// No such file, for example the path of a unix socket.
    public static let noSuchFile = Code(rawValue: ENOENT)
    /// The file is a directory.
    package static let isADirectory = Code(rawValue: EISDIR)
    /// The file already exists.
    package static let fileExists = Code(rawValue: EEXIST)
    /// The address is already in use by another listener.
    public static let addressInUse = Code(rawValue: EADDRINUSE)
    /// For example, the system has no IPv6.
    package static let addressFamilyNotSupported = Code(rawValue: EAFNOSUPPORT)
    /// Not an address of this machine.
    package static let addressNotAvailable = Code(rawValue: EADDRNOTAVAIL)
    /// The permissions of a unix socket, or a firewall, forbid it.
    public static let accessDenied = Code(rawValue: EACCES)
    /// The process has no descriptor left.
    public static let tooManyOpenFiles = Code(rawValue: EMFILE)
    /// Canceled by the waiting caller.
    static let canceled = Code(rawValue: ECANCELED)
    /// Not possible with this kind of file or socket.
    static let notSupported = Code(rawValue: ENOTSUP)
    /// Held by another user; for a lock, by another process.
    package static let wouldBlock = Code(rawValue: EWOULDBLOCK)
    /// The path of a unix socket is too long.
    public static let nameTooLong = Code(rawValue: ENAMETOOLONG)

    /// The operating system's message, for example "Connection refused".
    public var description: String {
      guard let text = unsafe strerror(rawValue) else { return "error \(rawValue)" }
      return unsafe String(cString: text)
    }
  }

  /// The reason for the failure.
  public let code: Code
  /// The operation and its object: "connect to 127.0.0.1:50051".
  public let operation: String

  public init(code: Code, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// Reads `errno`, so create it directly after the failed call.
  package init(operation: String) {
    self.init(code: Code(rawValue: errno), operation: operation)
  }

  /// "connect to 127.0.0.1:50051: Connection refused"
  public var description: String {
    "\(operation): \(code)"
  }
}
