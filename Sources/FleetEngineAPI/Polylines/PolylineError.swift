/// Why a text is not a polyline, or why points cannot be written as one, and where.
public struct PolylineError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A character that base64 does not have.
    case notBase64
    /// One base64 digit after the last whole group of four: it stands for no byte.
    case incompleteBase64
    /// As many `=` as do not belong there; there may be none, or what fills the group of four.
    case wrongPadding
    /// A character that ordinary polylines do not have.
    case notEncodedPolyline
    /// The text or its bytes end inside a number or a point.
    case truncated
    /// A number of more bits than its field has.
    case numberTooLarge
    /// A version of S2's encoding other than 1 and 2.
    case unknownVersion(UInt8)
    /// A level of S2 cells above 30.
    case levelTooHigh(Int)
    /// More points than the bytes behind the count can hold.
    case tooManyPoints(UInt64)
    /// A run of points on one face of the cube, with a length that is 0 or above 2^31 - 1.
    case wrongFaceRun
    /// A cell that is beyond the edge of its face.
    case cellOffFace
    /// The index of a point that there is not.
    case wrongIndex(UInt64)
    /// A vector whose length is not 1, as it is for every point of the unit sphere.
    case notUnitVector
    /// Bytes behind the end of the polyline.
    case trailingBytes(Int)
    /// A latitude beyond ±90° or a longitude beyond ±180°.
    case outOfRange
  }

  /// Where it is.
  public enum Place: Hashable, Sendable {
    /// Characters before it in the text. (Bytes of UTF-8, which a polyline's own characters are.)
    case character(Int)
    /// Bytes before it in what the base64 text stands for.
    case byte(Int)
    /// Points before it among those to encode.
    case point(Int)
    /// An argument, not the polyline.
    case level
  }

  public let reason: Reason
  public let place: Place

  init(_ reason: Reason, _ place: Place) {
    self.reason = reason
    self.place = place
  }
}

extension PolylineError: CustomStringConvertible {
  /// The reason and the place, on one line.
  public var description: String {
    switch place {
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
    case .wrongFaceRun: "a face run with no points or too many"
    case .cellOffFace: "a cell beyond the edge of its face"
    case .wrongIndex(let index): "index \(index) of no point"
    case .notUnitVector: "a vector that is not of length 1"
    case .trailingBytes(let count): "\(count) extra bytes at the end"
    case .outOfRange: "a latitude beyond 90 or a longitude beyond 180 degrees"
    }
  }
}
