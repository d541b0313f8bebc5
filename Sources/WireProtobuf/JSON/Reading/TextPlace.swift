/// Where in a text something stands.
package struct TextPlace: Hashable, Sendable {
  /// From 1.
  package private(set) var line = 1
  /// In bytes of the line, from 1.
  package private(set) var column = 1

  /// What comes next behind some text.
  package init(behind text: some Sequence<UInt8>) {
    for byte in text {
      column += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      }
    }
  }
}

extension TextPlace: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}
