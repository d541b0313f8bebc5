import Testing

@testable import Replay
@testable import WireGRPCServer

@Suite struct ResponseSequenceTests {
  static func sequence(_ seconds: [Int?]) -> ResponseSequence {
    var sequence = ResponseSequence()
    for (index, second) in seconds.enumerated() {
      let response = TimedResponse(steps: [.init(action: .message([UInt8(index)]))])
      _ = sequence.append(ResponseSequence.Entry(response: response), second.map { .seconds($0) })
    }
    return sequence
  }

  /// Returns the first byte of the selected response.
  static func number(_ selection: ResponseSequence.Selection?) -> UInt8? {
    selection?.response.frames.first?.first
  }

  @Test func otherClientsGetTheCompleteResponse() {
    var entry = ResponseSequence.Entry(
      response: TimedResponse(steps: [.init(action: .message([1]))]))
    entry.complete = TimedResponse(steps: [.init(action: .message([2]))])
    entry.requests = [[7]]
    var sequence = ResponseSequence()
    _ = sequence.append(entry, .zero)
    #expect(
      [[7], [8], []].map { Self.number(sequence.next(for: [$0], loops: true)) } == [1, 2, 2])
    #expect(Self.number(sequence.response(at: .zero)) == 2)
  }

  @Test func findsTheLatestResponseAtATime() {
    let sequence = Self.sequence([10, 20, 20, 30])
    let found = [0, 10, 19, 20, 29, 30, 1000].map {
      Self.number(sequence.response(at: .seconds($0)))
    }
    #expect(found == [0, 0, 0, 2, 2, 3, 3])
    #expect(sequence.start == .seconds(10))
    #expect(sequence.lastInterval == .seconds(10))
  }

  @Test func timesNeverDecrease() {
    let sequence = Self.sequence([nil, 20, 5, nil, 30])
    let found = [0, 20, 29, 30].map { Self.number(sequence.response(at: .seconds($0))) }
    #expect(found == [0, 3, 3, 4])
  }

  @Test func emptySequenceHasNoResponse() {
    var sequence = ResponseSequence()
    #expect(sequence.next(for: [], loops: true) == nil)
    #expect(sequence.response(at: .zero) == nil)
    #expect(sequence.lastInterval == .zero)
  }
}
