import WireHTTP2

/// Remembers what was read in the last header list.
///
/// Most calls are answered with the same lists as the call before, and HTTP/2 then returns the same
/// arrays: nothing has to be read again (docs/decisions/header-lists.md).
struct HeaderMemo<Reading> {
  private let read: ([HeaderField]) -> Reading
  private var fields: [HeaderField] = []
  private var reading: Reading

  init(_ read: @escaping ([HeaderField]) -> Reading) {
    self.read = read
    reading = read([])
  }

  mutating func callAsFunction(_ fields: [HeaderField]) -> Reading {
    if fields != self.fields {
      self.fields = fields
      reading = read(fields)
    }
    return reading
  }
}
