/// Collects lines of Swift at the current indentation.
struct Printer {
  private(set) var text = ""
  private var indentation = ""
  let access: String

  init(access: Options.Access) {
    self.access = access.rawValue + " "
  }

  mutating func line(_ line: String = "") {
    text += line.isEmpty ? "\n" : indentation + line + "\n"
  }

  /// Prints the opening line, the body one step further in, and the closing line.
  mutating func block(_ opening: String, _ closing: String = "}", _ body: (inout Printer) -> Void) {
    line(opening)
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
    line(closing)
  }

  mutating func docs(_ lines: [String]) {
    for text in lines { line(text.isEmpty ? "///" : "/// " + text) }
  }

  /// `opening(items)closing` on one line if it fits 100 columns, else one item per line.
  mutating func list(_ opening: String, _ items: [String], _ closing: String) {
    let joined = opening + items.joined(separator: ", ") + closing
    if indentation.count + joined.count <= 100 { return line(joined) }
    line(opening)
    let all = indentation + "  " + items.joined(separator: ", ")
    if all.count <= 100 {
      line("  " + items.joined(separator: ", "))
    } else {
      for item in items.dropLast() { line("  " + item + ",") }
      line("  " + (items.last ?? ""))
    }
    line(closing)
  }
}
