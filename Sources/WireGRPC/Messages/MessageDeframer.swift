/// Extracts messages from a byte stream that is split anywhere (gRPC Length-Prefixed-Message).
///
/// A declared length above the limit is refused before any of the message is stored.
package struct MessageDeframer {
  package struct Message: Hashable {
    package var isCompressed: Bool
    package var bytes: [UInt8]

    package init(isCompressed: Bool, bytes: [UInt8]) {
      self.isCompressed = isCompressed
      self.bytes = bytes
    }
  }

  package enum Failure: Error, Hashable {
    case tooLarge(declared: Int, limit: Int)
    /// The compressed flag is neither 0 nor 1.
    case badFlag(UInt8)
  }

  /// The capacity reserved at once. A longer message grows as it arrives, so that a peer cannot
  /// allocate memory by declaring a length.
  private static let eagerCapacity = 64 * 1024

  private let limit: Int
  private var prefixCount = 0
  private var flag: UInt8 = 0
  private var length = 0
  private var payload: [UInt8] = []

  /// - Parameter limit: the maximum size of a message on the wire, in bytes.
  package init(limit: Int) {
    self.limit = limit
  }

  package var isInsideMessage: Bool { prefixCount > 0 }

  /// Removes bytes from the front of `bytes` until a message is complete or none are left.
  package mutating func receive(_ bytes: inout ArraySlice<UInt8>) throws(Failure) -> Message? {
    if prefixCount < MessageFramer.prefixLength {
      let start = bytes.startIndex
      let end = min(bytes.endIndex, start + MessageFramer.prefixLength - prefixCount)
      for index in start..<end { try receivePrefix(bytes[index]) }
      bytes = bytes[end...]
      guard prefixCount == MessageFramer.prefixLength else { return nil }
    }
    let missing = length - payload.count
    let end = bytes.startIndex + min(missing, bytes.count)
    if payload.isEmpty, end - bytes.startIndex == missing {
      payload = Array(bytes[..<end])
    } else {
      if payload.isEmpty { payload.reserveCapacity(min(length, Self.eagerCapacity)) }
      payload.append(contentsOf: bytes[..<end])
    }
    bytes = bytes[end...]
    guard payload.count == length else { return nil }

    let message = Message(isCompressed: flag == 1, bytes: payload)
    payload = []
    prefixCount = 0
    length = 0
    return message
  }

  private mutating func receivePrefix(_ byte: UInt8) throws(Failure) {
    if prefixCount == 0 {
      guard byte <= 1 else { throw .badFlag(byte) }
      flag = byte
    } else {
      length = length << 8 | Int(byte)
    }
    prefixCount += 1
    if prefixCount == MessageFramer.prefixLength, length > limit {
      throw .tooLarge(declared: length, limit: limit)
    }
  }
}
