import FleetEngineAPI
import FleetEngineDeliveryAPI
import Tripwire
import WireProtobuf
import WireSystem

/// A request of a page of a list.
protocol PagedRequest: Message {
  associatedtype Header
  var header: Header? { get set }
  var pageSize: Int32 { get set }
  var pageToken: String { get set }
}

extension SearchTripsRequest: PagedRequest {}
extension ListVehiclesRequest: PagedRequest {}
extension ListTasksRequest: PagedRequest {}
extension ListDeliveryVehiclesRequest: PagedRequest {}

/// The page that a request asks for. A page follows the last ID of the page before, so that it stays
/// valid while resources are added and deleted.
struct PageRequest {
  private static let defaultSize = 100
  private static let largestSize = 1000

  private let size: Int
  /// The last ID of the page before.
  private let last: String?
  /// A checksum of the other parameters, which must not change between pages.
  private let checksum: String

  init(_ request: some PagedRequest) throws(EngineError) {
    guard request.pageSize >= 0 else { throw .invalid("page_size", "must not be negative") }
    size =
      request.pageSize == 0 ? Self.defaultSize : min(Int(request.pageSize), Self.largestSize)
    var parameters = request
    (parameters.header, parameters.pageSize, parameters.pageToken) = (nil, 0, "")
    checksum = String(fnv1a(parameters.serializedBytes()), radix: 16)
    guard !request.pageToken.isEmpty else {
      last = nil
      return
    }
    let parts = request.pageToken.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let bytes = Base64URL.decode(parts[1]) else {
      throw .invalid("page_token", "is not the token of an earlier response")
    }
    guard parts[0] == checksum else {
      throw .invalid("page_token", "is of a request with other parameters")
    }
    last = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the IDs of the page in order, and the token of the next page, which is empty after the last one.
  func page(of ids: some Sequence<String>) -> (ids: [String], nextToken: String) {
    var page: [String] = []
    for id in ids where last.map({ id > $0 }) ?? true {
      guard page.count <= size || id < page[size] else { continue }
      page.insert(id, at: page.partitioningIndex { $0 > id })
      if page.count > size + 1 { page.removeLast() }
    }
    guard page.count > size else { return (page, "") }
    page.removeLast()
    return (page, "\(checksum).\(Base64URL.encode(Array((page.last ?? "").utf8)))")
  }
}
