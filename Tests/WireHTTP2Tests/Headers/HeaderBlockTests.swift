import Testing

@testable import WireHTTP2

@Suite struct HeaderBlockTests {
  private func receive(
    _ block: inout HeaderBlock, _ fields: [HeaderField], _ kind: HeaderBlock.Kind
  ) -> [HeaderField] {
    block.begin(1, isOneFrame: true)
    for field in fields {
      Array(field.name.utf8).withUnsafeBufferPointer { name in
        Array(field.value.utf8).withUnsafeBufferPointer { value in
          let fits = block.append(name, value, isSensitive: field.isSensitive, limit: 1000)
          #expect(fits)
        }
      }
    }
    let received = block.take()
    #expect(HeaderBlock.Kind(received) == kind)
    return received
  }

  private func storage(_ fields: [HeaderField]) -> UnsafeRawPointer? {
    fields.withUnsafeBytes { $0.baseAddress }
  }

  @Test func equalListsShareTheirStorage() {
    var block = HeaderBlock()
    let headers = Samples.response
    let trailers = Samples.trailers
    let first = (receive(&block, headers, .final), receive(&block, trailers, .trailers))
    let second = (receive(&block, headers, .final), receive(&block, trailers, .trailers))
    #expect(first == (headers, trailers) && second == (headers, trailers))
    #expect(storage(first.0) == storage(second.0) && storage(first.1) == storage(second.1))
  }

  @Test func differentListsAreDistinct() {
    var block = HeaderBlock()
    let headers = Samples.response
    let first = Array(headers.dropLast())
    let other = first + [HeaderField("b", String(repeating: "x", count: 30) + "y")]
    let lists = [
      headers, other, first + [HeaderField("b", String(repeating: "x", count: 31))],
      Array(headers.prefix(1)), Array(headers.prefix(2)), headers,
      headers + [HeaderField("a", "1")], headers + [HeaderField("a", "2")],
      headers + [HeaderField("a", "2", isSensitive: true)], [headers[0]], headers,
    ]
    for list in lists {
      let received = receive(&block, list, .final)
      #expect(received == list)
      let again = receive(&block, list, .final)
      #expect(again == list)
    }
  }

  @Test func oversizedListDoesNotAffectTheNext() {
    var block = HeaderBlock()
    let headers = Samples.response
    _ = receive(&block, headers, .final)
    block.begin(3, isOneFrame: true)
    let long = Array(repeating: UInt8(ascii: "x"), count: 2000)
    long.withUnsafeBufferPointer { long in
      for _ in 0..<2 {
        let fits = block.append(long, long, isSensitive: false, limit: 1000)
        #expect(!fits)
      }
    }
    let received = receive(&block, headers, .final)
    #expect(received == headers)
  }
}
