/// Finds the position of a value in JSON text that was decoded before.
package enum JSONLocator {
  package enum Step {
    case key(String)
    case index(Int)
    /// The name of a member, instead of its value.
    case name(String)
  }

  /// Returns the position of a value, or of the nearest value around it where a key is written with
  /// escapes.
  package static func find(_ path: [Step], in text: [UInt8]) -> TextPosition {
    var scanner = JSONScanner(text)
    var place = 0
    for step in path {
      guard let found = scanner.enter(step) else { break }
      place = found
    }
    return TextPosition(after: text.prefix(place))
  }
}

extension JSONScanner {
  /// Moves to a member or an element of the next value, and returns its offset.
  fileprivate mutating func enter(_ step: JSONLocator.Step) -> Int? {
    _ = next()
    switch step {
    case .index(let index):
      for _ in 0..<index { skipElement() }
      return peek().flatMap { $0.ends ? nil : position }
    case .key(let key): return enter(key)?.value
    case .name(let key): return enter(key)?.name
    }
  }

  private mutating func enter(_ key: String) -> (name: Int, value: Int)? {
    while next() == .string {
      let name = range
      _ = next()
      _ = peek()
      if text[name].dropFirst().dropLast().elementsEqual(key.utf8) {
        return (name.lowerBound, position)
      }
      skipElement()
    }
    return nil
  }

  /// Skips a value and the comma after it.
  private mutating func skipElement() {
    _ = skipValue()
    if peek() == .comma { _ = next() }
  }
}
