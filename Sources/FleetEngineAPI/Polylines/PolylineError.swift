/// An error in the text of a polyline or in the points to encode, with its position.
public struct PolylineError: Error, Hashable, Sendable {
  /// The cause of the error.
  public enum Reason: Hashable, Sendable {
    /// A character outside the base64 alphabets.
    case notBase64
    /// A single base64 digit after the last group of four, which encodes no byte.
    case incompleteBase64
    /// The wrong number of `=`. There may be none, or exactly as many as complete the group of four.
    case wrongPadding
    /// A character that encoded polylines do not use.
    case notEncodedPolyline
    /// The text or the decoded bytes end inside a number or a point.
    case truncated
    /// A number with more bits than its field has.
    case numberTooLarge
    /// A version of the S2 encoding other than 1 and 2.
    case unknownVersion(UInt8)
    /// An S2 cell level above 30.
    case levelTooHigh(Int)
    /// A count of points that is larger than the remaining bytes allow.
    case tooManyPoints(UInt64)
    /// A run of points on one cube face whose length is 0 or above 2^31 - 1.
    case wrongFaceRun
    /// A cell outside its face.
    case cellOffFace
    /// The index of a point that does not exist.
    case wrongIndex(UInt64)
    /// A vector that is not on the unit sphere, because its length is not 1.
    case notUnitVector
    /// Bytes after the end of the polyline.
    case trailingBytes(Int)
    /// A latitude outside ±90° or a longitude outside ±180°.
    case outOfRange
  }

  /// The position of the error.
  public enum Position: Hashable, Sendable {
    /// The offset in the text, in UTF-8 bytes. The characters of a valid polyline take one byte
    /// each.
    case character(Int)
    /// The offset in the decoded base64, in bytes.
    case byte(Int)
    /// The index of the point to encode.
    case point(Int)
    /// The argument `level`.
    case level
  }

  /// The cause of the error.
  public let reason: Reason
  /// The position of the error.
  public let position: Position

  init(_ reason: Reason, _ position: Position) {
    self.reason = reason
    self.position = position
  }
}

extension PolylineError: CustomStringConvertible {
  /// The reason and the position, on one line.
  public var description: String {
    switch position {
    case .character(let offset): "\(reason), at character \(offset) of the text"
    case .byte(let offset): "\(reason), at byte \(offset) of the decoded base64"
    case .point(let index): "\(reason), in point \(index)"
    case .level: "\(reason)"
    }
  }
}

extension PolylineError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notBase64: "not a base64 character"
    case .incompleteBase64: "incomplete base64"
    case .wrongPadding: "wrong base64 padding"
    case .notEncodedPolyline: "not a character of an encoded polyline"
    case .truncated: "truncated"
    case .numberTooLarge: "number out of range"
    case .unknownVersion(let version):
      "unknown version \(version) of the S2 encoding, expected 1 or 2"
    case .levelTooHigh(let level): "level \(level), expected 0 to 30"
    case .tooManyPoints(let count): "\(count) points, more than the bytes can hold"
    case .wrongFaceRun: "invalid number of points on a cube face"
    case .cellOffFace: "cell outside its cube face"
    case .wrongIndex(let index): "index \(index) of a point that does not exist"
    case .notUnitVector: "vector with a length other than 1"
    case .trailingBytes(let count): "\(count) extra bytes at the end"
    case .outOfRange: "latitude outside ±90 or longitude outside ±180 degrees"
    }
  }
}
