import ProtobufDescriptors

/// Prints descriptors as the text of a .proto file, with comments if the descriptors contain them.
/// Types are printed with their full names. protoc compiles the text to the same descriptors.
package struct ProtoText {
  let pool: DescriptorPool
  let file: FileDescriptorProto
  let syntax: FileSyntax
  var text = ""
  var depth = 0
  /// The full name of the message that is printed, or the package.
  var scope: String
  private let comments: SourceComments

  private init(_ pool: DescriptorPool, file index: Int) {
    self.pool = pool
    file = pool.files[index]
    syntax = FileSyntax(file)
    scope = file.package ?? ""
    comments = SourceComments(file)
  }

  /// Returns a whole file.
  ///
  /// - Parameter index: in ``DescriptorPool/files``.
  package static func text(ofFile index: Int, in pool: DescriptorPool) -> String {
    var printer = ProtoText(pool, file: index)
    printer.printFile()
    return printer.text
  }

  package static func text(of symbol: DescriptorPool.Symbol, in pool: DescriptorPool) -> String {
    switch symbol {
    case .message(let message):
      return text(pool, message.file, message.fullName) { printer, path in
        printer.print(message.proto, at: path)
      }
    case .enum(let `enum`):
      return text(pool, `enum`.file, `enum`.fullName) { printer, path in
        printer.print(`enum`.proto, at: path)
      }
    case .service(let service):
      return text(pool, service.file, service.fullName) { printer, path in
        printer.print(service.proto, at: path)
      }
    case .method(let method, of: let service):
      return text(pool, service.file, service.fullName) { printer, path in
        let index = service.methods.firstIndex { $0.name == method.name } ?? 0
        printer.print(method.proto, at: path + [2, Int32(index)])
      }
    case .field(let field, of: let message):
      return text(pool, message.file, message.fullName) { printer, path in
        let index = message.proto.field.firstIndex { $0.name == field.name } ?? 0
        printer.scope = message.fullName
        printer.print(
          field.proto, NestedTypes(message.proto.nestedType, in: message.fullName, at: path + [3]),
          at: path + [2, Int32(index)])
      }
    case .oneof(let index, of: let message):
      return text(pool, message.file, message.fullName) { printer, path in
        printer.scope = message.fullName
        printer.printOneof(
          index, of: message.proto,
          NestedTypes(message.proto.nestedType, in: message.fullName, at: path + [3]), at: path)
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
    if let dot = fullName.lastIndex(of: ".") { printer.scope = String(fullName[..<dot]) }
    body(&printer, pool.files[file].path(of: fullName))
    return printer.text
  }

  // MARK: Lines

  mutating func line(_ line: String) {
    text += (line.isEmpty ? "" : String(repeating: "  ", count: depth) + line) + "\n"
  }

  private mutating func lines(_ lines: [String]) {
    for text in lines { line(text) }
  }

  /// Prints a statement with its comments.
  mutating func statement(_ statement: String, at path: [Int32]) {
    lines(comments.leading(path))
    print(statement, before: comments.trailing(path))
  }

  /// Prints a head, a body in braces, and the comments of the element.
  mutating func block(_ head: String, at path: [Int32], _ body: (inout ProtoText) -> Void) {
    lines(comments.leading(path))
    let before = text.utf8.count
    print(head + " {", before: comments.trailing(path))
    let empty = text.utf8.count
    depth += 1
    body(&self)
    depth -= 1
    if text.utf8.count == empty, comments.trailing(path).isEmpty {
      text.removeLast(text.utf8.count - before)
      line(head + " {}")
    } else {
      line("}")
    }
  }

  /// Prints a comment of one line beside the statement, and a longer one below it. A blank line
  /// separates it from the comment of the next statement.
  private mutating func print(_ statement: String, before comment: [String]) {
    guard comment.count != 1 else { return line("\(statement)  \(comment[0])") }
    line(statement)
    guard !comment.isEmpty else { return }
    lines(comment)
    line("")
  }

  // MARK: Names

  /// Returns the name of a type or an extension, with a leading dot if it would otherwise mean
  /// another one in the scope.
  ///
  /// - Parameter name: a full name, with or without a leading dot.
  func typeName(_ name: String?) -> String {
    let name = name ?? ""
    guard !name.hasPrefix(".") else { return typeName(String(name.dropFirst())) }
    return isHidden(name) ? ".\(name)" : name
  }

  /// Whether the scope or an enclosing one has the first part of a full name. The compiler would then
  /// look up the rest of the name there.
  private func isHidden(_ name: String) -> Bool {
    let first = name.prefix { $0 != "." }
    var scope = scope[...]
    while !scope.isEmpty {
      if pool.isScope("\(scope).\(first)") { return true }
      scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
    }
    return false
  }
}
