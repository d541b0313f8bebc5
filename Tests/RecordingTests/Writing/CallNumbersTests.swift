import Testing

@testable import Recording

@Suite struct CallNumbersTests {
  static func numbers(_ entries: [Logs.Entry]) -> [Int] {
    var numbers = CallNumbers()
    return entries.map { numbers.call(of: $0).number }
  }

  @Test func countsCallsInOrderOfTheirStart() {
    let pairs = zip(zip(Logs.call(7), Logs.call(5)), Logs.call(7, logger: .server))
    #expect(
      Self.numbers(pairs.flatMap { [$0.0.0, $0.0.1, $0.1] })
        == (0..<6).flatMap { _ in [1, 2, 3] })
  }

  @Test func reusedIDCountsAsAnotherCall() {
    let unfinished = Array(Logs.call(1).dropLast(3))
    #expect(Self.numbers(unfinished + Logs.call(1)) == [1, 1, 1, 2, 2, 2, 2, 2, 2])
  }

  @Test func countsACallWithoutItsStart() {
    var numbers = CallNumbers()
    let late = Array(Logs.call(3).dropFirst(4))
    #expect(
      late.map { numbers.call(of: $0) } == [
        CallNumbers.Call(number: 1, method: nil, isNew: true, isAnswered: true),
        CallNumbers.Call(number: 1, method: nil, isNew: false, isAnswered: true),
      ])
    #expect(numbers.call(of: Logs.call(4)[0]).method == "/test.Echo/Say")
    #expect(numbers.count == 2)
  }

  @Test func detectsWhetherTheServerResponded() {
    func haveResponses(_ entries: [Logs.Entry]) -> [Bool] {
      var numbers = CallNumbers()
      return entries.map { numbers.call(of: $0).isAnswered }
    }
    #expect(haveResponses(Logs.call(3)) == [false, false, false, true, true, true])
    var status = [Logs.call(3)[0], Logs.entry(3, .serverTrailer, Logs.trailer(14))]
    #expect(haveResponses(status) == [false, false])
    status[1].peer = BinlogAddress("127.0.0.1:443")
    #expect(haveResponses(status) == [false, true])
    #expect(haveResponses(Logs.call(3) + Logs.call(3).prefix(2)).suffix(2) == [false, false])
  }

  @Test func remembersEndedCallsForAWhile() {
    let others = (10..<1_000).flatMap { Logs.call($0) }
    let late = Logs.entry(1, .clientHalfClose)
    #expect(Self.numbers(Logs.call(1) + others + [late]).last == 1)
    let many = (10..<4_000).flatMap { Logs.call($0) }
    #expect(Self.numbers(Logs.call(1) + many + [late]).last == 3_992)
    // A call that has not ended is kept.
    let open = Array(Logs.call(1).dropLast())
    #expect(Self.numbers(open + many + [late]).last == 1)
  }
}
