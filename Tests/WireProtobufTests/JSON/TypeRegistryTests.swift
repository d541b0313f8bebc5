import Testing

@testable import WireProtobuf

@Suite struct TypeRegistryTests {
  @Test(arguments: [
    TypeRegistry(Point.self, Scalars.self), TypeRegistry([Point.self, Scalars.self]),
    [Point.self, Scalars.self],
  ])
  func findsTypesByURL(_ registry: TypeRegistry) {
    #expect(registry.type(for: "a.com/tripwire.test.Point") == Point.self)
    #expect(registry.type(for: "a.com/b/tripwire.test.Scalars") == Scalars.self)
    #expect(registry.type(for: "a.com/google.protobuf.Timestamp") == Timestamp.self)
    #expect(registry.type(for: "bücher.example/tripwire.test.Point") == Point.self)
    #expect(registry.type(for: "a.com/tripwire.test.Poínt") == nil)
    #expect(registry.type(for: "a.com/tripwire.test.Tree") == nil)
    #expect(registry.type(for: "tripwire.test.Point") == nil)
  }

  @Test func generatedRegistriesContainEveryMessage() {
    let registry = TypeRegistry.shopProto.union(.everythingProto)
    #expect(registry.type(for: "a.com/shop.v1.Item") == Item.self)
    #expect(registry.type(for: "a.com/tripwire.test.Point") == Point.self)
    #expect(TypeRegistry.shopProto.type(for: "a.com/tripwire.test.Point") == nil)
    #expect(TypeRegistry.everythingProto.type(for: "a.com/tripwire.test.Tree") == Tree.self)
  }

  @Test func decodingOptionsAreApplied() throws {
    let text = #"{"x":1,"any":{"@type":"a.com/tripwire.test.Point","x":1}}"#
    let options = JSONDecodingOptions(ignoresUnknownFields: true, types: [Point.self])
    let message = try WellKnown(jsonString: text, options: options)
    #expect(try message.any?.unpack(Point.self) == Point(x: 1))
    let none = JSONDecodingOptions()
    #expect(!none.ignoresUnknownFields && none.recursionLimit == 100 && none.memoryFactor == 64)
    #expect(none.types.type(for: "a.com/tripwire.test.Point") == nil)
    #expect(throws: JSONDecodingError.self) {
      let options = JSONDecodingOptions(ignoresUnknownFields: true, recursionLimit: 1)
      return try WellKnown(jsonString: text, options: options)
    }
  }
}
