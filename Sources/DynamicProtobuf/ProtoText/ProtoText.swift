import ProtobufDescriptors

/// Prints descriptors as the text of a .proto file, with comments if the descriptors contain them.
/// Types are printed with their full names.
package struct ProtoText {
  let pool: DescriptorPool
  var text = ""
  var depth = 0
  /// Whether optional fields are printed with the keyword `optional` (proto2).
  let printsOptional: Bool
  /// The comments of the file by path (google.protobuf.SourceCodeInfo).
  private var comments: [[Int32]: String] = [:]

  private init(_ pool: DescriptorPool, file: Int) {
    self.pool = pool
    printsOptional = Features(pool.files[file]).isProto2
    for location in pool.files[file].sourceCodeInfo?.location ?? [] {
      if let comment = location.leadingComments { comments[location.path] = comment }
    }
  }

  package static func text(of symbol: DescriptorPool.Symbol, in pool: DescriptorPool) -> String {
    switch symbol {
    case .message(let message):
      return text(pool, message.file, message.fullName) { printer, path in
        printer.print(message.proto, message.fullName, at: path)
      }
    case .enum(let `enum`):
      return text(pool, `enum`.file, `enum`.fullName) { printer, path in
        printer.print(`enum`.proto, at: path)
      }
    case .service(let service):
      return text(pool, service.file, service.fullName) { printer, path in
        printer.print(service, at: path)
      }
    case .method(let method, of: let service):
      return text(pool, service.file, service.fullName) { printer, path in
        let index = service.methods.firstIndex { $0.name == method.name } ?? 0
        printer.print(method, at: path + [2, Int32(index)])
      }
    case .field(let field, of: let message):
      return text(pool, message.file, message.fullName) { printer, path in
        let index = message.proto.field.firstIndex { $0.name == field.name } ?? 0
        printer.print(
          field.proto, ProtoText.Nested(message.proto, message.fullName),
          at: path + [2, Int32(index)])
      }
    case .extension(let `extension`):
      return text(pool, `extension`.file, `extension`.scope) { printer, path in
        printer.print(`extension`, at: path)
      }
    case .enumValue(let value, of: let `enum`):
      return text(pool, `enum`.file, `enum`.fullName) { printer, path in
        let index = `enum`.proto.value.firstIndex { $0.name == value.name } ?? 0
        printer.print(value, at: path + [2, Int32(index)])
      }
    }
  }

  private static func text(
    _ pool: DescriptorPool, _ file: Int, _ fullName: String,
    _ body: (inout ProtoText, [Int32]) -> Void
  ) -> String {
    var printer = ProtoText(pool, file: file)
    body(&printer, pool.files[file].path(of: fullName))
    return printer.text
  }

  // MARK: Lines

  mutating func line(_ line: String) {
    text += String(repeating: "  ", count: depth) + line + "\n"
  }

  mutating func block(_ head: String, _ body: (inout ProtoText) -> Void) {
    let before = text.utf8.count
    line(head + " {")
    let empty = text.utf8.count
    depth += 1
    body(&self)
    depth -= 1
    if text.utf8.count == empty {
      text.removeLast(text.utf8.count - before)
      line(head + " {}")
    } else {
      line("}")
    }
  }

  mutating func comment(at path: [Int32]) {
    guard let comment = comments[path] else { return }
    var lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
    for text in lines {
      let text = text.filter { $0 == "\t" || !($0.unicodeScalars.first?.isControl ?? false) }
      line("//" + (text.isEmpty || text.hasPrefix(" ") ? "" : " ") + text)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension FileDescriptorProto {
  /// Returns the path of a message, enum or service in the file (google.protobuf.SourceCodeInfo).
  fileprivate func path(of fullName: String) -> [Int32] {
    let package = self.package ?? ""
    let names = fullName.dropFirst(package.isEmpty ? 0 : package.utf8.count + 1)
      .split(separator: ".").map(String.init)
    guard let first = names.first else { return [] }
    if let index = service.firstIndex(where: { $0.name == first }) { return [6, Int32(index)] }
    var path: [Int32] = []
    var messages = messageType
    var enums = enumType
    var (messageNumber, enumNumber): (Int32, Int32) = (4, 5)
    for name in names {
      if let index = messages.firstIndex(where: { $0.name == name }) {
        path += [messageNumber, Int32(index)]
        enums = messages[index].enumType
        messages = messages[index].nestedType
        (messageNumber, enumNumber) = (3, 4)
      } else if let index = enums.firstIndex(where: { $0.name == name }) {
        return path + [enumNumber, Int32(index)]
      }
    }
    return path
  }
}
