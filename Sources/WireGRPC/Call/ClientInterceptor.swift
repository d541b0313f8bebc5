/// Stands before the calls of a channel, or before one call: to add what they need, such as a token,
/// and to hear what becomes of them.
///
///     struct Log: ClientInterceptor {
///       func start(_ call: inout StartingCall) {
///         let path = call.path
///         call.observe { event in
///           if case .end(let result) = event { print(path, result) }
///         }
///       }
///     }
///
/// The channel's own come first, then those of the call's options, in their order; each sees what
/// those before it have done.
public protocol ClientInterceptor: Sendable {
  /// Who it is, for errors; the name of its type if it does not say.
  var name: String { get }

  /// Called once for each call, in the caller's task, before anything is sent. It may take its time:
  /// that is the call's, and it is cancelled with the call.
  ///
  /// What it throws ends the call: a ``CallError`` with its own code, unless that is one that only
  /// servers may give; all else with INTERNAL (gRFC A54). Either way it is the call's
  /// ``CallError/underlyingError``.
  func start(_ call: inout StartingCall) async throws
}

extension ClientInterceptor {
  public var name: String { String(describing: type(of: self)) }
}

/// An interceptor that has nothing to wait for, and nothing to refuse: asking it costs no more than a
/// call of a function.
package protocol CallObserver: ClientInterceptor {
  func observe(_ call: inout StartingCall)
}

extension CallObserver {
  public func start(_ call: inout StartingCall) { observe(&call) }
}

/// A call that is about to be sent.
public struct StartingCall: Sendable {
  /// "/maps.fleetengine.v1.TripService/GetTrip".
  public let path: String
  public let kind: MethodKind
  /// The `:authority` that it is sent with.
  public let authority: String
  /// What is sent ahead of its messages, besides gRPC's own headers.
  public var metadata: Metadata
  /// How long the call may take, from its beginning, which was before this; nil for ever.
  public var timeout: Duration?
  package var observers: [@Sendable (CallEvent) -> Void] = []

  package init(
    path: String, kind: MethodKind, authority: String, metadata: Metadata, timeout: Duration?
  ) {
    self.path = path
    self.kind = kind
    self.authority = authority
    self.metadata = metadata
    self.timeout = timeout
  }

  /// Has all that happens to the call told to `observer`, in order, one at a time, as ``CallEvent``
  /// says; mostly on the channel's own thread: it must return soon.
  public mutating func observe(_ observer: @escaping @Sendable (CallEvent) -> Void) {
    observers.append(observer)
  }
}
