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
    #expect(block.kind == kind)
    return block.take(kind)
  }

  private func storage(_ fields: [HeaderField]) -> UnsafeRawPointer? {
    fields.withUnsafeBytes { $0.baseAddress }
  }

  @Test func equalListsAreOne() {
    var block = HeaderBlock()
    let headers = Samples.answer
    let trailers = Samples.trailers
    let first = (receive(&block, headers, .final), receive(&block, trailers, .trailers))
    let second = (receive(&block, headers, .final), receive(&block, trailers, .trailers))
    #expect(first == (headers, trailers) && second == (headers, trailers))
    #expect(storage(first.0) == storage(second.0) && storage(first.1) == storage(second.1))
  }

  @Test func aListThatDiffersIsItsOwn() {
    var block = HeaderBlock()
    let headers = Samples.answer
    let lists = [
      headers, headers + [HeaderField("a", "1")], headers + [HeaderField("a", "2")],
      headers + [HeaderField("a", "2", isSensitive: true)], [headers[0]], headers,
    ]
    for list in lists {
      let received = receive(&block, list, .final)
      #expect(received == list)
    }
  }
}
