import Testing
import WireProtobuf

@testable import TripRelay

@Suite struct LeaderBalanceTests {
  @Test(arguments: [
    [12, 4, 0], [16, 0, 0], [8, 8, 0], [7, 7, 2], [6, 5, 5], [1, 0, 0], [2, 0, 0],
  ])
  func leadersAreSpread(_ counts: [Int]) {
    let nodes = ["n1", "n2", "n3"]
    let leaders = zip(nodes, counts).flatMap { Array(repeating: $0, count: $1) }
    let streams = leaders.enumerated().map { number, leader in
      StreamCopies(stream: "s\(number)", leader: leader, followers: nodes.filter { $0 != leader })
    }
    var balance = LeaderBalance(streams)
    var moves: [LeaderBalance.Move] = []
    while let move = balance.next() { moves.append(move) }
    let result = balance.counts.values.sorted()
    #expect(result[2] - result[0] <= 1)
    // No stream moves twice, and none if there is no need.
    #expect(Set(moves.map(\.stream)).count == moves.count)
    let (most, fewest) = ((streams.count + 2) / 3, streams.count / 3)
    let tooMany = counts.map { max(0, $0 - most) }.reduce(0, +)
    let tooFew = counts.map { max(0, fewest - $0) }.reduce(0, +)
    #expect(moves.count == max(tooMany, tooFew))
  }

  @Test func nodesWithoutACompleteCopyLeadNothing() {
    let streams = (0..<16).map {
      StreamCopies(stream: "s\($0)", leader: "n1", followers: $0 < 2 ? ["n2", "n3"] : ["n2"])
    }
    var balance = LeaderBalance(streams)
    while balance.next() != nil {}
    #expect(balance.counts == ["n1": 7, "n2": 7, "n3": 2])
  }

  @Test func copiesAreParsed() throws {
    let json = """
      {"config":{"name":"S"},"cluster":{"leader":"n1","replicas":[{"name":"n2","current":true},
      {"name":"n3","current":false},{"name":"n4","current":true,"offline":true}]}}
      """
    let copies = StreamCopies(try Struct(jsonUTF8Bytes: Array(json.utf8)))
    #expect(copies == StreamCopies(stream: "S", leader: "n1", followers: ["n2"]))
    for json in [#"{"config":{"name":"S"}}"#, #"{"config":{"name":"S"},"cluster":{"name":"c"}}"#] {
      #expect(StreamCopies(try Struct(jsonUTF8Bytes: Array(json.utf8))) == nil)
    }
  }
}
