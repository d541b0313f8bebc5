/// Why bytes are not the message they should be, and where.
public struct DecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: UInt8, Error, Hashable, Sendable {
    /// The input, or the message around the field, ends before the value does.
    case truncated
    /// The input ends inside a tag.
    case truncatedTag
    /// A varint that goes on after 10 bytes, or a tag that does not fit 32 bits.
    case malformedVarint
    case malformedTag
    /// A length that goes on after 5 bytes.
    case malformedLength
    /// Field number 0 or a wire type of 6 or 7.
    case illegalTag
    /// The end of a group that was not begun, or that has another number than its beginning.
    case unmatchedEndGroup
    /// A string field that is not UTF-8.
    case invalidUTF8
    /// Messages or groups nested deeper than ``DecodingOptions/recursionLimit``.
    case tooDeep
    /// The message would take far more memory, or the keys of its maps more time, than
    /// ``DecodingOptions/memoryFactor`` allows.
    case tooMuchMemory
  }

  public let reason: Reason
  /// Type, then fields by their names in the .proto file: `Trip.route[3].latitude`.
  public let fieldPath: String
  /// Where in the input the fault was noticed, from 0.
  public let byteOffset: Int
}

extension DecodingError: CustomStringConvertible {
  public var description: String {
    "\(fieldPath): \(reason) at byte \(byteOffset)"
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
    case .unmatchedEndGroup: "end of a group that did not start"
    case .invalidUTF8: "not UTF-8"
    case .tooDeep: "nested too deep"
    case .tooMuchMemory: "needs more memory or time than DecodingOptions.memoryFactor allows"
    }
  }
}

/// How the binary form is read.
public struct DecodingOptions: Hashable, Sendable {
  /// How deep messages and groups may nest. Each level takes some of the thread's stack.
  public var recursionLimit: Int
  /// Whether fields that the types do not know are dropped instead of kept.
  public var discardUnknownFields: Bool
  /// How many bytes of memory the messages, map entries and unknown fields of an input may take
  /// for each byte of it, beside a first 1 MiB.
  ///
  /// A message with nothing set takes two bytes in a repeated field and up to some thousand in
  /// memory, so an input can ask for a thousand times its size. Messages that say something stay
  /// far below the limit; raise it for inputs of very many elements that are nearly empty.
  ///
  /// Keys of maps in which more than a thousand accents follow one another count too, with the time
  /// that it takes to compare them.
  public var memoryFactor: Int

  public init(
    recursionLimit: Int = 100, discardUnknownFields: Bool = false, memoryFactor: Int = 64
  ) {
    self.recursionLimit = recursionLimit
    self.discardUnknownFields = discardUnknownFields
    self.memoryFactor = memoryFactor
  }
}
