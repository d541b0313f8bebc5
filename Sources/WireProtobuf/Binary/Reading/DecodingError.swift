/// An error in the binary form of a message, with the field and the byte offset.
public struct DecodingError: Error, Hashable, Sendable {
  /// The cause of the error.
  public enum Reason: UInt8, Error, Hashable, Sendable {
    /// The input, or the message around the field, ends before the value does.
    case truncated
    /// The input ends inside a tag.
    case truncatedTag
    /// A varint longer than 10 bytes.
    case malformedVarint
    /// A tag larger than 32 bits.
    case malformedTag
    /// A length whose varint is longer than 5 bytes.
    case malformedLength
    /// Field number 0, or wire type 6 or 7.
    case illegalTag
    /// An end-group tag without a start-group tag, or with a different field number.
    case unmatchedEndGroup
    /// A string field that is not UTF-8.
    case invalidUTF8
    /// Messages or groups nested deeper than ``DecodingOptions/recursionLimit``.
    case tooDeep
    /// The message needs more memory than ``DecodingOptions/memoryFactor`` allows, or its map keys
    /// need more time to compare.
    case tooMuchMemory
  }

  /// The cause of the error.
  public let reason: Reason
  /// The message type, then the fields by their .proto names: `Trip.route[3].latitude`.
  public let fieldPath: String
  /// The offset in the input at which the error was detected, from 0.
  public let byteOffset: Int
}

extension DecodingError: CustomStringConvertible {
  public var description: String {
    "\(fieldPath) at byte \(byteOffset): \(reason)"
  }
}

extension DecodingError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .truncated, .truncatedTag: "truncated"
    case .malformedVarint: "varint longer than 10 bytes"
    case .malformedTag: "tag longer than 32 bits"
    case .malformedLength: "length longer than 5 bytes"
    case .illegalTag: "illegal tag"
    case .unmatchedEndGroup: "END_GROUP tag without a matching START_GROUP"
    case .invalidUTF8: "not UTF-8"
    case .tooDeep: "nested too deep"
    case .tooMuchMemory: "needs more memory or time than DecodingOptions.memoryFactor allows"
    }
  }
}

/// Options for decoding the binary form.
public struct DecodingOptions: Hashable, Sendable {
  /// The maximum nesting depth of messages and groups. Each level uses stack space of the thread.
  public var recursionLimit: Int
  /// Whether unknown fields are dropped instead of kept.
  public var discardUnknownFields: Bool
  /// The maximum memory for messages, map entries and unknown fields, in bytes per input byte.
  /// 1 MiB is always allowed in addition.
  ///
  /// An empty message takes two bytes in a repeated field and up to several thousand bytes in memory,
  /// so a hostile input could demand a thousand times its size. Ordinary messages stay far below
  /// the limit. Raise it for inputs with very many nearly empty elements.
  ///
  /// Long runs of combining marks in map keys of more than 256 bytes also count against the limit,
  /// because comparing them takes time.
  public var memoryFactor: Int

  /// Creates options. By default, messages may nest 100 deep and unknown fields are kept.
  public init(
    recursionLimit: Int = 100, discardUnknownFields: Bool = false, memoryFactor: Int = 64
  ) {
    self.recursionLimit = recursionLimit
    self.discardUnknownFields = discardUnknownFields
    self.memoryFactor = memoryFactor
  }
}
