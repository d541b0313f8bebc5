package import WireProtobuf

/// Splits bytes into `ResourceState` messages, each preceded by its length as a varint.
///
/// The memory is bounded: at most one message of the largest size and the bytes of the last call.
package struct ResourceStateReader: Sendable {
  /// Why the bytes are not messages. There is no way to find the next message.
  package enum Failure: Error, Equatable {
    /// The input ended within a message.
    case cut(received: Int, size: Int?)
    case tooLarge(size: UInt64, limit: Int)
    case malformedLength
    case undecodable(DecodingError)
  }

  /// The largest message that a server of NATS can be configured for.
  static let largestMessage = 64 << 20

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The start of the next message in ``bytes``.
  private var start = 0

  package init(limit: Int = largestMessage) {
    self.limit = limit
  }

  /// Adds received bytes. Call ``next()`` until it returns nil before adding more.
  package mutating func append(_ more: [UInt8]) {
    bytes.removeFirst(start)
    start = 0
    bytes += more
  }

  /// Returns the next complete message; nil if more bytes are needed.
  package mutating func next() throws(Failure) -> ResourceState? {
    guard let (prefix, size) = try length(), bytes.count - start - prefix >= size else {
      return nil
    }
    let message = bytes[(start + prefix)..<(start + prefix + size)]
    start += prefix + size
    do throws(DecodingError) {
      return try ResourceState(serializedBytes: Array(message))
    } catch {
      throw .undecodable(error)
    }
  }

  /// Checks that the input may end here.
  package func finish() throws(Failure) {
    guard start < bytes.count else { return }
    let (prefix, size) = try length() ?? (0, 0)
    throw .cut(received: bytes.count - start - prefix, size: prefix == 0 ? nil : size)
  }

  /// The sizes of the next length and of the message; nil if the length is incomplete.
  private func length() throws(Failure) -> (prefix: Int, size: Int)? {
    var size: UInt64 = 0
    for (index, byte) in bytes[start...].prefix(10).enumerated() {
      // The tenth byte has one bit of a 64-bit number.
      guard index < 9 || byte <= 1 else { throw .malformedLength }
      size |= UInt64(byte & 0x7f) << (7 * UInt64(index))
      guard byte & 0x80 == 0 else { continue }
      guard size <= UInt64(limit) else { throw .tooLarge(size: size, limit: limit) }
      return (index + 1, Int(size))
    }
    return nil
  }
}

extension ResourceStateReader.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cut(let received, let size?):
      "the output ends after \(received) of the \(size) bytes of a message"
    case .cut: "the output ends within the length of a message"
    case .tooLarge(let size, let limit):
      "a message has \(size) bytes; the limit is \(limit) bytes"
    case .malformedLength: "the length of a message is not a varint"
    case .undecodable(let error): "a message cannot be decoded: \(error)"
    }
  }
}
