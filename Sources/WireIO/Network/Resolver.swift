import WireSystem

/// Finds the addresses of a host.
package enum Resolver {
  /// Returns the addresses of `host`, without duplicates, in the order to try them (RFC 6724, as
  /// implemented by the system).
  ///
  /// A numeric host is converted at once. `localhost` and the names below it are the loopback
  /// addresses (RFC 6761, section 6.3). Another name is resolved with getaddrinfo on its own thread,
  /// which cannot be stopped: if the task is canceled, the wait ends with `.canceled` and the
  /// result is dropped. Cancel the task to limit the wait.
  package static func resolve(
    host: String, port: UInt16
  ) async throws(ResolverError) -> [SocketAddress] {
    if let address = SocketAddress(numericHost: host, port: port) { return [address] }
    if isLocalhost(host) {
      return ["127.0.0.1", "::1"].compactMap { SocketAddress(numericHost: $0, port: port) }
    }
    let canceled = ResolverError(kind: .canceled, host: host, reason: "canceled")
    if Task.isCancelled { throw canceled }
    let answer = Answer()
    do {
      try Thread(for: "the resolver") { answer.deliver(lookUp(host, port, flags: 0)) }.detach()
    } catch {
      throw ResolverError(kind: .system, host: host, reason: "\(error)")
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer.wait($0) }
    } onCancel: {
      answer.deliver(.failure(canceled))
    }
    return try result.get()
  }

  private static func isLocalhost(_ host: String) -> Bool {
    let name = host.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Calls getaddrinfo, which blocks unless `flags` has AI_NUMERICHOST.
  package static func lookUp(
    _ host: String, _ port: UInt16, flags: Int32
  ) -> Result<[SocketAddress], ResolverError> {
    // getaddrinfo would treat an empty name as the loopback, and stop at a NUL.
    guard !host.isEmpty, !host.utf8.contains(0) else {
      return .failure(ResolverError(kind: .notFound, host: host, reason: "not a host name"))
    }
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(bitPattern: SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    unsafe hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0 else { return .failure(ResolverError(host: host, status: status)) }
    defer { unsafe freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let pointer = unsafe entry.pointee.ai_addr,
        let address = unsafe SocketAddress(pointer, count: Int(entry.pointee.ai_addrlen)),
        !found.contains(address)
      {
        found.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    guard !found.isEmpty else {
      return .failure(ResolverError(kind: .notFound, host: host, reason: "no address"))
    }
    return .success(found)
  }

  /// Passes the result from the thread to the waiting task. Only the first result is used.
  final class Answer: Sendable {
    private typealias Outcome = Result<[SocketAddress], ResolverError>
    private enum State {
      case nothing
      case waiting(CheckedContinuation<Outcome, Never>)
      case delivered(Outcome)
      case over
    }

    private let state = Locked(State.nothing)

    func deliver(_ outcome: Result<[SocketAddress], ResolverError>) {
      let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
        switch state {
        case .nothing:
          state = .delivered(outcome)
          return nil
        case .waiting(let waiter):
          state = .over
          return waiter
        case .delivered, .over:
          return nil
        }
      }
      waiter?.resume(returning: outcome)
    }

    func wait(_ waiter: CheckedContinuation<Result<[SocketAddress], ResolverError>, Never>) {
      let outcome = state.withLock { state -> Outcome? in
        guard case .delivered(let outcome) = state else {
          state = .waiting(waiter)
          return nil
        }
        state = .over
        return outcome
      }
      if let outcome { waiter.resume(returning: outcome) }
    }
  }
}

package struct ResolverError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The host does not exist or has no address.
    case notFound
    /// The name server did not respond, or reports a temporary failure.
    case temporary
    /// The waiting task was canceled.
    case canceled
    /// This machine lacks memory, threads or descriptors.
    case system
  }

  package let kind: Kind
  package let host: String
  /// The resolver's message, for example "Name or service not known".
  package let reason: String

  init(kind: Kind, host: String, reason: String) {
    self.kind = kind
    self.host = host
    self.reason = reason
  }

  /// Creates an error from the result of getaddrinfo. Reads `errno` for EAI_SYSTEM.
  fileprivate init(host: String, status: Int32) {
    self.host = host
    switch status {
    case EAI_AGAIN: kind = .temporary
    case EAI_MEMORY, EAI_SYSTEM: kind = .system
    default: kind = .notFound
    }
    reason =
      status == EAI_SYSTEM
      ? IOError.Code(rawValue: errno).description : unsafe String(cString: gai_strerror(status))
  }

  /// "cannot resolve fleet.example: Name or service not known"
  package var description: String {
    "cannot resolve \(host): \(reason)"
  }
}
