import ProtobufDescriptors
import WireProtobuf

/// The effect of a file's syntax or edition and of its features on the wire format and on JSON
/// (google.protobuf.FeatureSet). Each scope inherits from the enclosing one.
struct Features {
  enum Presence {
    case explicit
    case implicit
    case required
  }

  var presence: Presence
  var isOpen: Bool
  var isPacked: Bool
  var checksUTF8: Bool
  var isDelimited: Bool
  let isProto2: Bool

  /// The values of ``FileDescriptorProto/syntax``. Compilers omit "proto2".
  static let syntaxes = ["", "proto2", "proto3", "editions"]

  init(_ file: FileDescriptorProto) {
    isProto2 = file.syntax == nil || file.syntax == "" || file.syntax == "proto2"
    presence = file.syntax == "proto3" ? .implicit : .explicit
    isOpen = !isProto2
    isPacked = !isProto2
    checksUTF8 = !isProto2
    isDelimited = false
    apply(file.options?.unknownFields, 50)
  }

  func inside(_ options: MessageOptions?) -> Features { with(options?.unknownFields, 12) }

  func inside(_ options: EnumOptions?) -> Features { with(options?.unknownFields, 7) }

  func inside(_ options: OneofOptions?) -> Features { with(options?.unknownFields, 1) }

  func inside(_ options: FieldOptions?) -> Features {
    var features = with(options?.unknownFields, 21)
    if let isPacked = options?.packed { features.isPacked = isPacked }
    return features
  }

  private func with(_ options: UnknownFields?, _ number: Int) -> Features {
    var features = self
    features.apply(options, number)
    return features
  }

  /// Applies the features of a FeatureSet. The generated options predate editions, so the
  /// FeatureSet is among their unknown fields.
  private mutating func apply(_ options: UnknownFields?, _ number: Int) {
    for feature in options?.messages(number).flatMap(\.fields) ?? [] {
      if case .varint(let value) = feature.value { set(feature.number, value) }
    }
  }

  private mutating func set(_ feature: Int, _ value: UInt64) {
    switch (feature, value) {
    case (1, 1): presence = .explicit
    case (1, 2): presence = .implicit
    case (1, 3): presence = .required
    case (2, 1): isOpen = true
    case (2, 2): isOpen = false
    case (3, 1): isPacked = true
    case (3, 2): isPacked = false
    case (4, 2): checksUTF8 = true
    case (4, 3): checksUTF8 = false
    case (5, 1): isDelimited = false
    case (5, 2): isDelimited = true
    default: break
    }
  }
}
