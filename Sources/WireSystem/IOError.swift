/// A failed system call: the operation, its object and the reason.
package struct IOError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operating system's error number. The named ones are those that callers distinguish.
  package struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// Nothing listens at the address, or a firewall rejects the connection.
    package static let connectionRefused = Code(rawValue: ECONNREFUSED)
    /// The peer dropped the connection without closing it properly.
    package static let connectionReset = Code(rawValue: ECONNRESET)
    /// The peer has closed the connection.
    package static let brokenPipe = Code(rawValue: EPIPE)
    /// The kernel gave up waiting for the peer.
    package static let timedOut = Code(rawValue: ETIMEDOUT)
    /// No route to the network, for example IPv6 on a host that has none.
    package static let networkUnreachable = Code(rawValue: ENETUNREACH)
    package static let hostUnreachable = Code(rawValue: EHOSTUNREACH)
    /// No such file, for example the path of a unix socket.
    package static let noSuchFile = Code(rawValue: ENOENT)
    package static let isADirectory = Code(rawValue: EISDIR)
    package static let fileExists = Code(rawValue: EEXIST)
    package static let addressInUse = Code(rawValue: EADDRINUSE)
    /// For example, the system has no IPv6.
    package static let addressFamilyNotSupported = Code(rawValue: EAFNOSUPPORT)
    /// Not an address of this machine.
    package static let addressNotAvailable = Code(rawValue: EADDRNOTAVAIL)
    /// The permissions of a unix socket, or a firewall, forbid it.
    package static let accessDenied = Code(rawValue: EACCES)
    /// Canceled by the waiting caller.
    static let canceled = Code(rawValue: ECANCELED)
    /// Not possible with this kind of file or socket.
    static let notSupported = Code(rawValue: ENOTSUP)
    /// Held by another user; for a lock, by another process.
    package static let wouldBlock = Code(rawValue: EWOULDBLOCK)
    /// The path of a unix socket is too long.
    package static let nameTooLong = Code(rawValue: ENAMETOOLONG)

    /// The operating system's message, for example "Connection refused".
    package var description: String {
      guard let text = unsafe strerror(rawValue) else { return "error \(rawValue)" }
      return unsafe String(cString: text)
    }
  }

  package let code: Code
  /// The operation and its object: "connect to 127.0.0.1:50051".
  package let operation: String

  package init(code: Code, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// Reads `errno`, so create it directly after the failed call.
  package init(operation: String) {
    self.init(code: Code(rawValue: errno), operation: operation)
  }

  /// "connect to 127.0.0.1:50051: Connection refused"
  package var description: String {
    "\(operation): \(code)"
  }
}
