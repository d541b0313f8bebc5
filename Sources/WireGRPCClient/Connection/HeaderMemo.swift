import WireHTTP2

/// Keeps the value that was parsed from the last header list.
///
/// Most responses have the same lists as the response before, and HTTP/2 then returns the same arrays,
/// which need no second parse (docs/decisions/calls/header-lists.md).
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
