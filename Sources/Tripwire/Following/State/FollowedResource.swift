public import WireGRPC
public import WireProtobuf

/// A resource that the library follows, such as a ``Trip`` or a ``Vehicle``.
///
/// The models of the library use this protocol; an app need not implement it. ``isFinal`` and
/// ``changes(from:to:)`` are also useful to apps. The default implementations are those of resources without
/// version stamps.
public protocol FollowedResource: Message {
  /// The request for the resource.
  associatedtype Request: GetResourceRequest
  /// The options of requests, such as the view of a trip.
  associatedtype RequestOptions: ResourceRequestOptions = NoRequestOptions
  /// The parts of the resource that differ between two states.
  associatedtype Changes: ResourceChanges = FieldMask
  /// The header of requests, which identifies the caller.
  typealias Header = Request.Header

  /// The full resource name, such as `providers/{provider}/trips/{trip}`.
  var name: String { get set }
  /// Whether the resource will not change anymore. Following it ends then.
  var isFinal: Bool { get }
  /// Returns the parts that differ between two states of the resource.
  static func changes(from old: Self, to new: Self) -> Changes

  /// The method that gets the resource.
  static var getMethod: MethodDescriptor<Request, Self> { get }
  /// Returns the options of a request.
  static func options(of request: Request) -> RequestOptions
  /// Writes the options to a request.
  static func set(_ options: RequestOptions, in request: inout Request)

  /// Whether a request has version stamps, so that the response leaves out unchanged parts.
  static func hasStamps(_ request: Request) -> Bool
  /// Adds the version stamps of this resource to a request.
  func stamp(_ request: inout Request)
  /// Whether a version stamp of this response is older than the sent one.
  func isOlder(than request: Request) -> Bool
  /// Copies from the held resource the unchanged parts that this response leaves out. Returns false if
  /// the response cannot be completed from it.
  mutating func complete(from held: Self, to request: Request) -> Bool
  /// Replaces large parts by the equal ones of the held resource, so that both share their memory. The
  /// value stays the same.
  mutating func shareEqualParts(with held: Self)
}

extension FollowedResource {
  /// Creates a request for the complete resource.
  public static func request(
    forName name: String, header: Header? = nil, options: RequestOptions = RequestOptions()
  ) -> Request {
    var request = Request()
    request.name = name
    request.header = header
    set(options, in: &request)
    return request
  }

  public var isFinal: Bool { false }

  public static func options(of request: Request) -> RequestOptions { RequestOptions() }
  public static func set(_ options: RequestOptions, in request: inout Request) {}
  public static func hasStamps(_ request: Request) -> Bool { false }
  public func stamp(_ request: inout Request) {}
  public func isOlder(than request: Request) -> Bool { false }
  public mutating func complete(from held: Self, to request: Request) -> Bool { true }
  public mutating func shareEqualParts(with held: Self) {}
}

extension Timestamp? {
  /// Whether a version stamp is older than the sent one. A missing stamp is not.
  func isOlder(than sent: Timestamp?) -> Bool {
    guard let self, let sent else { return false }
    return self < sent
  }

  /// Whether a part that a response leaves out is unchanged: its stamp equals the sent one, or is missing as
  /// well.
  func isUnchanged(since sent: Timestamp?) -> Bool { sent != nil && (self == sent || self == nil) }
}

/// A request for a resource.
public protocol GetResourceRequest: Message {
  /// The header, which identifies the caller.
  associatedtype Header: Message

  /// The full name of the resource.
  var name: String { get set }
  /// Identifies the caller; nil sends none.
  var header: Header? { get set }
}

/// Options of the requests for a resource, which determine the fields and the format of the response.
public protocol ResourceRequestOptions: Sendable, Hashable {
  /// Creates the default options.
  init()
}

/// The options of requests that have none.
public struct NoRequestOptions: ResourceRequestOptions {
  public init() {}
}

/// The parts of a resource that differ between two states.
public protocol ResourceChanges: Sendable {
  /// Creates an empty set.
  init()
  /// Whether the two states are the same.
  var isEmpty: Bool { get }
}

extension FieldMask: ResourceChanges {
  public var isEmpty: Bool { paths.isEmpty }
}
