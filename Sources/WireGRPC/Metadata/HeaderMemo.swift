package import WireHTTP2

/// What was read in the last header list. Most calls are answered with the same lists as the call
/// before, and then HTTP/2 gives out the same arrays: so there is nothing to read again.
package struct HeaderMemo<Reading> {
  private let read: ([HeaderField]) -> Reading
  private var fields: [HeaderField] = []
  private var reading: Reading

  package init(_ read: @escaping ([HeaderField]) -> Reading) {
    self.read = read
    reading = read([])
  }

  package mutating func callAsFunction(_ fields: [HeaderField]) -> Reading {
    if fields != self.fields {
      self.fields = fields
      reading = read(fields)
    }
    return reading
  }
}
