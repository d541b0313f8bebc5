import Testing
import WireProtobuf

@testable import RelayAPI

@Suite struct ResourceStateReaderTests {
  private func delimited(_ state: ResourceState) -> [UInt8] {
    let bytes = state.serializedBytes()
    var prefix: [UInt8] = []
    var rest = bytes.count
    while rest >= 128 {
      prefix.append(UInt8(rest & 0x7f | 0x80))
      rest >>= 7
    }
    return prefix + [UInt8(rest)] + bytes
  }

  private func state(_ sequence: UInt64, worker: String = "w") -> ResourceState {
    ResourceState(name: "providers/p/trips/t", worker: worker, sequence: sequence)
  }

  @Test(arguments: [1, 2, 3, 7, 100, 10_000])
  func messagesMayArriveInPiecesOfAnySize(size: Int) throws {
    let states = [state(1), ResourceState(), state(2, worker: String(repeating: "x", count: 300))]
    let bytes = states.flatMap(delimited)
    var reader = ResourceStateReader()
    var received: [ResourceState] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let state = try reader.next() { received.append(state) }
    }
    #expect(received == states)
    try reader.finish()
  }

  @Test func everyTruncationIsReported() throws {
    let bytes = delimited(state(1, worker: String(repeating: "x", count: 200)))
    for count in 1..<bytes.count {
      var reader = ResourceStateReader()
      reader.append(Array(bytes[..<count]))
      #expect(try reader.next() == nil)
      let expected = ResourceStateReader.Failure.cut(
        received: count < 2 ? 1 : count - 2, size: count < 2 ? nil : bytes.count - 2)
      #expect(throws: expected) { try reader.finish() }
    }
  }

  @Test func largeMessageIsReportedBeforeItArrives() {
    var reader = ResourceStateReader(limit: 1_000)
    reader.append([0xe9, 0x07])
    #expect(throws: ResourceStateReader.Failure.tooLarge(size: 1_001, limit: 1_000)) {
      try reader.next()
    }
    var other = ResourceStateReader()
    other.append([UInt8](repeating: 0xff, count: 9) + [1])
    #expect(throws: ResourceStateReader.Failure.tooLarge(size: .max, limit: 64 << 20)) {
      try other.next()
    }
  }

  @Test func invalidBytesAreReported() {
    var reader = ResourceStateReader()
    reader.append([UInt8](repeating: 0x80, count: 11))
    #expect(throws: ResourceStateReader.Failure.malformedLength) { try reader.next() }
    var other = ResourceStateReader()
    other.append([2, 0x0a, 0x7f])
    #expect(throws: ResourceStateReader.Failure.self) { try other.next() }
  }

  @Test func errorsAreReadable() {
    #expect(
      "\(ResourceStateReader.Failure.cut(received: 3, size: 9))"
        == "the output ends after 3 of the 9 bytes of a message")
    #expect(
      "\(ResourceStateReader.Failure.cut(received: 1, size: nil))"
        == "the output ends within the length of a message")
  }
}
