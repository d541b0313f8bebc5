import WireGRPC

/// The files of the page, from the folder Page.
enum PageFiles {
  static let style = unpacked(packedStyle)
  static let script = unpacked(packedScript)
  private static let template = unpacked(packedTemplate)

  /// Returns the page with more elements at the end of its head and its body.
  static func html(head: [UInt8], body: [UInt8]) -> [UInt8] {
    replaced("<!-- body -->", by: body, in: replaced("<!-- head -->", by: head, in: template))
  }

  /// The page of a server, which names its other files.
  static func html(files: [String], options: PageOptions) -> [UInt8] {
    var head: [UInt8] = []
    var body = element(of: options)
    for file in files {
      if file.hasSuffix(".css") {
        head += Array("<link rel=\"stylesheet\" href=\"\(file)\">\n".utf8)
      } else {
        body += Array("<script src=\"\(file)\"></script>\n".utf8)
      }
    }
    return html(head: head, body: body)
  }

  static func element(_ name: String, _ attributes: String, _ content: [UInt8]) -> [UInt8] {
    Array("<\(name)\(attributes)>".utf8) + content + Array("</\(name)>\n".utf8)
  }

  static func element(of options: PageOptions) -> [UInt8] {
    // "</script" would end the element, so "<" is escaped.
    let json = options.json.flatMap { $0 == UInt8(ascii: "<") ? Array("\\u003c".utf8) : [$0] }
    return element("script", " type=\"application/json\" id=\"options\"", json)
  }

  private static func replaced(
    _ mark: String, by content: [UInt8], in text: [UInt8]
  ) -> [UInt8] {
    let mark = Array(mark.utf8)
    guard
      let start = text.indices.first(where: { text[$0...].starts(with: mark) })
    else { return text }
    return text[..<start] + content + text[(start + mark.count)...]
  }

  private static func unpacked(_ packed: StaticString) -> [UInt8] {
    guard let bytes = Base64.decode(packed.description) else { return [] }
    return (try? Inflater.inflate(bytes, limit: 1 << 22)) ?? []
  }
}
