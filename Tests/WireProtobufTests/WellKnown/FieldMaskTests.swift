import Testing

@testable import WireProtobuf

@Suite struct FieldMaskTests {
  // MARK: Paths

  @Test func textBecomesAMask() {
    #expect(FieldMask("a.b,c").paths == ["a.b", "c"])
    #expect(FieldMask("a, b").paths == ["a", "b"])
    #expect(FieldMask("").paths == [])
    #expect(FieldMask(allFieldsOf: Point.self).paths == ["x", "y"])
  }

  @Test func arrayBecomesAMask() {
    let paths = ["a.b", "c"]
    let mask: FieldMask = ["a.b", "c"]
    #expect(FieldMask(paths) == mask && FieldMask(["a.b", "c"]) == mask && mask.paths == paths)
    #expect(FieldMask([]) == FieldMask())
  }

  @Test(arguments: [
    "number", "scalars", "scalars.int32", "point.x,span.color", "", "number,number",
  ])
  func validPathsAreAccepted(_ paths: String) throws {
    #expect(try FieldMask(paths, for: Optionals.self) == FieldMask(paths))
  }

  @Test(arguments: [
    ("nope", "field mask path nope: tripwire.test.Optionals has no field nope"),
    ("text,point.z", "field mask path point.z: tripwire.test.Point has no field z"),
    (
      "number.x",
      "field mask path number.x: number of tripwire.test.Optionals is not a singular message; "
        + "end the path after number"
    ),
    ("scalars.", "field mask path scalars.: a part is empty; separate names by one dot"),
    (
      "scalars..int32",
      "field mask path scalars..int32: a part is empty; separate names by one dot"
    ),
    (".number", "field mask path .number: a part is empty; separate names by one dot"),
    ("*", "field mask path *: tripwire.test.Optionals has no field *; name each field"),
    ("Number", "field mask path Number: tripwire.test.Optionals has no field Number; write number"),
    (
      "point[0].x",
      "field mask path point[0].x: tripwire.test.Optionals has no field point[0]; "
        + "a path cannot have an index, so leave it out; write point"
    ),
    (
      "no[0]",
      "field mask path no[0]: tripwire.test.Optionals has no field no[0]; "
        + "a path cannot have an index, so leave it out"
    ),
  ])
  func invalidPathsAreReported(_ paths: String, _ description: String) {
    let error = #expect(throws: FieldMaskError.self) {
      try FieldMask(paths, for: Optionals.self)
    }
    #expect(error?.description == description)
  }

  @Test(arguments: ["choice", "choice.number"])
  func oneofsAreReportedWithTheirMembers(_ path: String) {
    let error = #expect(throws: FieldMaskError.self) { try FieldMask(path, for: Choices.self) }
    #expect(
      error?.description
        == "field mask path \(path): choice of tripwire.test.Choices is a oneof; name its "
        + "members: number, text, scalars, point, color, null")
    #expect(error?.reason == .oneof && error?.members.count == 6 && error?.suggestion == nil)
  }

  @Test func emptyPathIsReported() {
    let error = #expect(throws: FieldMaskError.self) {
      try FieldMask([""]).validate(for: Choices.self)
    }
    #expect(error?.reason == .emptyPart && error?.description == "field mask: a path is empty")
  }

  @Test func veryLongPathsAreHandled() {
    let path = String(repeating: "left.", count: 500_000) + "name"
    let mask = FieldMask(paths: [path])
    #expect(mask.canonical == mask && mask.contains(path))
    #expect(mask.intersect(mask) == mask && mask.union(mask) == mask)
    #expect(throws: FieldMaskError.self) { try mask.validate(for: Tree.self) }
  }

  @Test func repeatedFieldsAndMapsMustComeLast() throws {
    _ = try FieldMask("spans", for: Repeated.self)
    _ = try FieldMask("points", for: Maps.self)
    #expect(throws: FieldMaskError.self) { try FieldMask("spans.start", for: Repeated.self) }
    #expect(throws: FieldMaskError.self) { try FieldMask("points.x", for: Maps.self) }
  }

  @Test func protoNameIsSuggestedForAJSONName() throws {
    let error = #expect(throws: FieldMaskError.self) {
      try FieldMask("farPoints", for: Repeated.self)
    }
    #expect(error?.suggestion == "far_points")
    let json = try FieldMask(jsonString: #""farPoints,spans""#)
    try json.validate(for: Repeated.self)
  }

  // MARK: Sets

  @Test func canonicalFormIsSortedWithoutOverlap() {
    #expect(FieldMask("c,a.b,a,c.d,b.z,b.y").canonical == FieldMask("a,b.y,b.z,c"))
    #expect(FieldMask("a.b.c,a.b").canonical == FieldMask("a.b"))
  }

  @Test func unionAndIntersectionCombineMasks() {
    let (one, other) = (FieldMask("a.b,c"), FieldMask("a,c.d,e"))
    #expect(one.union(other) == FieldMask("a,c,e"))
    #expect(one.intersect(other) == FieldMask("a.b,c.d"))
    #expect(one.intersect(FieldMask("a.c,b")) == FieldMask())
  }

  @Test func maskContainsSubPaths() {
    let mask = FieldMask("a.b,c")
    #expect(mask.contains("a.b") && mask.contains("a.b.c") && mask.contains("c"))
    #expect(!mask.contains("a") && !mask.contains("b") && !mask.contains("cc"))
    #expect(!FieldMask().contains("a"))
  }
}
