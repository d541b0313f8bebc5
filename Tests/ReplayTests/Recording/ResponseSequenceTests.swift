import Testing
import WireHTTP2

@testable import Replay

@Suite struct TapeTests {
  static func tape(_ seconds: [Int?]) -> Tape {
    var tape = Tape()
    for (index, second) in seconds.enumerated() {
      let answer = Answer(steps: [.init(content: .message([UInt8(index)]))])
      _ = tape.append(Tape.Entry(answer), second.map { .seconds($0) })
    }
    return tape
  }

  /// Which of them was played.
  static func number(_ turn: Tape.Turn?) -> UInt8? { turn?.answer.frames.first?.first }

  @Test func repeatsTheLastOrBeginsAnew() {
    var tape = Self.tape([0, 0, 0])
    #expect((0..<5).map { _ in Self.number(tape.play(for: [], loops: false)) } == [0, 1, 2, 2, 2])
    tape = Self.tape([0, 0, 0])
    #expect(
      (0..<7).map { _ in Self.number(tape.play(for: [], loops: true)) } == [0, 1, 2, 0, 1, 2, 0])
    tape = Self.tape([0])
    #expect((0..<3).map { _ in Self.number(tape.play(for: [], loops: true)) } == [0, 0, 0])
  }

  @Test func tellsAllToThoseWhoAskOtherwise() {
    var entry = Tape.Entry(Answer(steps: [.init(content: .message([1]))]))
    entry.whole = Answer(steps: [.init(content: .message([2]))])
    entry.requests = [[7]]
    var tape = Tape()
    _ = tape.append(entry, .zero)
    #expect([[7], [8], []].map { Self.number(tape.play(for: [$0], loops: true)) } == [1, 2, 2])
    #expect(Self.number(tape.answer(at: .zero)) == 2)
  }

  @Test func findsWhatWasTheLatest() {
    let tape = Self.tape([10, 20, 20, 30])
    let found = [0, 10, 19, 20, 29, 30, 1000].map { Self.number(tape.answer(at: .seconds($0))) }
    #expect(found == [0, 0, 0, 2, 2, 3, 3])
    #expect(tape.start == .seconds(10))
    #expect(tape.lastInterval == .seconds(10))
  }

  @Test func neverGoesBackInTime() {
    let tape = Self.tape([nil, 20, 5, nil, 30])
    let found = [0, 20, 29, 30].map { Self.number(tape.answer(at: .seconds($0))) }
    #expect(found == [0, 3, 3, 4])
  }

  @Test func hasNothingWhenItIsEmpty() {
    var tape = Tape()
    #expect(tape.play(for: [], loops: true) == nil)
    #expect(tape.answer(at: .zero) == nil)
    #expect(tape.lastInterval == .zero)
  }
}
