package import ProtobufDescriptors
import WireProtobuf

/// The syntax or edition of a file, and its effect on the text of declarations.
struct FileSyntax {
  /// Whether the file has an edition. Reserved names are then identifiers, and fields have no labels.
  let isEdition: Bool
  /// Whether optional fields have the keyword `optional`.
  let printsOptional: Bool
  /// The first statement of the file.
  let statement: String

  init(_ file: FileDescriptorProto) {
    isEdition = file.syntax == "editions"
    printsOptional = Features(file).isProto2
    statement =
      isEdition
      ? "edition = \"\(Self.edition(file))\";"
      : "syntax = \"\((file.syntax ?? "").isEmpty ? "proto2" : file.syntax ?? "")\";"
  }

  /// Returns the edition, such as "2023". The generated descriptors predate editions, so it is among
  /// the unknown fields.
  private static func edition(_ file: FileDescriptorProto) -> String {
    switch file.unknownFields.varint(14) {
    case 1000: "2023"
    case 1001: "2024"
    case 1002: "2026"
    case 9999: "UNSTABLE"
    case let number: String(number ?? 0)
    }
  }
}

extension UnknownFields {
  /// The keyword for a symbol visibility (edition 2024) and a space, or "".
  func visibility(_ number: Int) -> String {
    switch varint(number) {
    case 1: "local "
    case 2: "export "
    default: ""
    }
  }
}

extension FileDescriptorProto {
  /// The files that are imported only for options (edition 2024).
  var optionImports: [String] { unknownFields.texts(15) }

  /// The names of all imported files.
  package var imports: [String] { dependency + optionImports }
}
