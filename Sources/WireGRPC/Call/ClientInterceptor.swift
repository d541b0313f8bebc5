/// Observes or changes all calls of a channel, or a single call. An interceptor can add metadata, such
/// as a token, and observe the events of the call.
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
/// The interceptors of the channel run first, then those of the call's options, in order. Each sees
/// the changes of those before it.
public protocol ClientInterceptor: Sendable {
  /// The name of the interceptor in errors; by default the name of its type.
  var name: String { get }

  /// Runs once per call, in a task of its own, before anything is sent. It may wait; its time
  /// counts against the call's timeout. It is canceled with the call.
  ///
  /// An error that it throws ends the call. A ``CallError`` keeps its code unless only servers may
  /// return that code; network errors, such as a `URLError` after a timeout, become UNAVAILABLE; all
  /// other errors become INTERNAL (gRFC A54). Either way the error is the
  /// call's ``CallError/underlyingError``.
  func start(_ call: inout StartingCall) async throws
}

extension ClientInterceptor {
  /// The name of the type.
  public var name: String { String(describing: type(of: self)) }
}

/// An interceptor that neither waits nor refuses calls, so it costs only a function call.
package protocol CallObserver: ClientInterceptor {
  func observe(_ call: inout StartingCall)
}

extension CallObserver {
  public func start(_ call: inout StartingCall) { observe(&call) }
}

/// A call before it is sent.
public struct StartingCall: Sendable {
  /// "/maps.fleetengine.v1.TripService/GetTrip".
  public let path: String
  /// How many messages each side sends.
  public let kind: MethodKind
  /// The `:authority` of the call.
  public let authority: String
  /// The metadata to send, without gRPC's own headers.
  public var metadata: Metadata
  /// The time limit of the call; nil for none. It is counted from the start of the call, before its
  /// first interceptor ran.
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

  /// Registers an observer of the call's events (``CallEvent``). The events are passed in order,
  /// one at a time. The observer usually runs on the channel's thread and must return quickly.
  public mutating func observe(_ observer: @escaping @Sendable (CallEvent) -> Void) {
    observers.append(observer)
  }
}
