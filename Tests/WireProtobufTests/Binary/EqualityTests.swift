import Testing

@Suite struct EqualityTests {
  @Test func everyFieldIsCompared() {
    let full = Scalars(
      double: 1, float: 1, int32: 1, int64: 1, uint32: 1, uint64: 1, sint32: 1, sint64: 1,
      fixed32: 1, fixed64: 1, sfixed32: 1, sfixed64: 1, bool: true, string: "1", bytes: [1],
      color: .red)
    let changes: [(inout Scalars) -> Void] = [
      { $0.double = 2 }, { $0.float = 2 }, { $0.int32 = 2 }, { $0.int64 = 2 }, { $0.uint32 = 2 },
      { $0.uint64 = 2 }, { $0.sint32 = 2 }, { $0.sint64 = 2 }, { $0.fixed32 = 2 },
      { $0.fixed64 = 2 }, { $0.sfixed32 = 2 }, { $0.sfixed64 = 2 }, { $0.bool = false },
      { $0.string = "2" }, { $0.bytes = [2] }, { $0.color = .blue },
    ]
    for change in changes {
      var other = full
      change(&other)
      #expect(other != full)
      #expect(other != Scalars())
    }
    #expect(full == full)
  }

  @Test func subMessagesAreCompared() {
    #expect(Optionals(scalars: Scalars()) != Optionals())
    #expect(Optionals(scalars: Scalars(int32: 1)) != Optionals(scalars: Scalars(int32: 2)))
    #expect(Optionals(scalars: Scalars(int32: 1)) == Optionals(scalars: Scalars(int32: 1)))
    #expect(Repeated(scalars: [Scalars()]) != Repeated(scalars: []))
    #expect(
      Repeated(scalars: [Scalars(), Scalars(int32: 1)])
        != Repeated(scalars: [Scalars(), Scalars()]))
    #expect(Tree(left: Tree(name: "a")) != Tree(left: Tree(name: "b")))
  }

  @Test(arguments: [1, 7, 8, 9, 33])
  func elementsOfLeafMessagesAreCompared(_ count: Int) {
    let points = (0..<count).map { Point(x: Double($0), y: 1) }
    for index in 0..<count {
      var others = points
      others[index].y = 2
      #expect(Repeated(points: points) != Repeated(points: others))
    }
    // A different array with equal elements.
    #expect(Repeated(points: points) == Repeated(points: points.map { Point(x: $0.x, y: $0.y) }))
    #expect(Repeated(points: points) != Repeated(points: points.dropLast()))
  }

  @Test func zerosOfBothSignsAreEqual() {
    let plus = Repeated(points: [Point(x: 0, y: 1)])
    let minus = Repeated(points: [Point(x: -0.0, y: 1)])
    #expect(plus == minus)
    #expect(plus.hashValue == minus.hashValue)
  }

  @Test func equalMessagesHaveEqualHashes() {
    let a = Maps(counts: ["a": 1, "b": 2], points: [1: Point(x: 1)])
    let b = Maps(counts: ["b": 2, "a": 1], points: [1: Point(x: 1)])
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
  }
}
