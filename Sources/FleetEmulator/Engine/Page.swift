import FleetEngineAPI
import WireProtobuf
import WireSystem

/// The request of a page of a list. A page follows the last ID of the page before, so that it stays
/// valid while resources are added and deleted.
struct PageRequest {
  private static let defaultSize = 100
  private static let largestSize = 1000

  private let size: Int
  /// The last ID of the page before.
  private let last: String?
  /// A checksum of the other parameters, which must not change between pages.
  private let checksum: String

  /// - Parameter request: without the size, the token and the header.
  init(size: Int32, token: String, _ request: some Message) throws(EngineError) {
    guard size >= 0 else { throw .invalid("page_size", "must not be negative") }
    self.size = size == 0 ? Self.defaultSize : min(Int(size), Self.largestSize)
    checksum = String(Self.checksum(request.serializedBytes()), radix: 16)
    guard !token.isEmpty else {
      last = nil
      return
    }
    let parts = token.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let bytes = [UInt8](hexadecimal: parts[1]) else {
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
    let end = page.last ?? ""
    return (page, "\(checksum).\(end.utf8.map { hexadecimal($0) }.joined())")
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// FNV-1a with 64 bits.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension [UInt8] {
  /// Returns nil unless the text is pairs of hexadecimal digits.
  fileprivate init?(hexadecimal text: Substring) {
    let digits = text.map(\.hexDigitValue)
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map {
      UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0))
    }
  }
}
