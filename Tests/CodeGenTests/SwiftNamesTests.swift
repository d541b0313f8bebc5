import ProtobufDescriptors
import Testing

@testable import CodeGen

@Suite struct SwiftNamesTests {
  @Test(arguments: [
    ("vehicle_id", "vehicleId"), ("name", "name"), ("SHOUTED_NAME", "shoutedName"),
    ("mixedCase", "mixedCase"), ("_field__name3", "fieldName3"), ("field_0_name", "field0Name"),
    ("FieldName8", "fieldName8"), ("2nd", "_2nd"), ("_", "underscore"), ("x", "x"),
  ])
  func fieldNamesAreCamelCase(_ proto: String, _ swift: String) {
    #expect(SwiftNames.lowerCamel(proto) == swift)
  }

  @Test(
    arguments: [
      ("foo.bar_baz", nil, "Foo_BarBaz_"), ("", nil, ""), ("google.protobuf", nil, ""),
      ("google.rpc", nil, "Google_Rpc_"), ("google.rpc", "RPC", "RPC"), ("google.type", "", ""),
    ] as [(String, String?, String)])
  func prefixComesFromThePackageOrItsOption(_ package: String, _ option: String?, _ prefix: String)
  {
    #expect(SwiftNames.prefix(package: package, swiftPrefix: option) == prefix)
  }

  @Test func pluginOptionSetsThePrefix() {
    #expect(SwiftNames.prefix(package: "shop", swiftPrefix: nil, plugin: "Acme") == "Acme")
    #expect(SwiftNames.prefix(package: "shop", swiftPrefix: nil, plugin: "") == "")
    #expect(SwiftNames.prefix(package: "shop", swiftPrefix: "Own", plugin: "Acme") == "Own")
    #expect(SwiftNames.prefix(package: "google.protobuf", swiftPrefix: nil, plugin: "Acme") == "")
  }

  @Test(arguments: [
    ("shop.proto", "", "shopProto"), ("shop/v1/cart_item.proto", "", "shopV1CartItemProto"),
    ("API.proto", "", "apiProto"), ("2/a-b.proto", "", "_2ABProto"),
    ("shop.proto", "Acme", "acmeShopProto"), ("é.txt", "", "txtProto"),
  ])
  func registryNamesComeFromThePath(_ path: String, _ prefix: String, _ registry: String) {
    #expect(SwiftNames.registry(of: path, prefix: prefix) == registry)
  }

  @Test func detectsSwiftIdentifiers() {
    #expect(["Acme", "_a1", "a_"].allSatisfy(SwiftNames.isIdentifier))
    #expect(!["", "1a", "a-b", "é", "a.b", " "].contains(where: SwiftNames.isIdentifier))
  }

  static func properties(
    _ fields: [(String, Int)], areOneofMembers: Bool = false
  ) -> [String] {
    SwiftNames.properties(fields.map { ($0, $1, areOneofMembers) })
  }

  @Test func noneAndSomeAreRenamedInOneofsAndEnums() {
    let names = [("none", 1), ("SOME", 2), ("none_field", 3)]
    #expect(Self.properties(names) == ["none", "some", "noneField"])
    #expect(
      Self.properties(names, areOneofMembers: true) == ["noneField1", "someField", "noneField3"])
    #expect(
      EnumCaseNames.names(of: [("KIND_NONE", 0), ("SOME", 1), ("NOBODY", 2)], in: "Kind")
        == ["noneValue", "someValue", "nobody"])
  }

  @Test func keywordsAndReservedNamesAreEscaped() {
    #expect(SwiftNames.escaped("class") == "`class`")
    #expect(SwiftNames.escaped("name") == "name")
    #expect(
      Self.properties([("self", 1), ("hash_value", 2)]) == ["selfField", "hashValueField"])
    #expect(
      SwiftNames.methods(["Self", "Default", "Get", "get"]) == [
        "selfMethod", "`default`", "get3", "get4",
      ])
  }

  @Test func collidingTypesAreRenamed() {
    func names(_ names: [String], prefix: String = "", taken: Set<String> = []) -> [String] {
      SwiftNames.types(names.map { ($0, "Message") }, prefix: prefix, taken: taken)
    }
    #expect(names(["Type", "lower", "_"]) == ["TypeMessage", "Lower", "Underscore"])
    #expect(names(["String", "StringMessage"]) == ["StringMessageMessage", "StringMessage"])
    #expect(names(["String", "Trip"], prefix: "Foo_") == ["Foo_String", "Foo_Trip"])
    #expect(names(["Trip", "Stop"], taken: ["Trip"]) == ["TripMessage", "Stop"])
  }

  @Test func wellKnownTypesKeepTheirSwiftNames() {
    let index = TypeIndex(
      [
        FileDescriptorProto(
          name: "a.proto", package: "google.protobuf",
          messageType: ["Any", "Duration", "Value"].map { DescriptorProto(name: $0) }),
        FileDescriptorProto(
          name: "b.proto", dependency: ["a.proto"],
          messageType: [
            DescriptorProto(
              name: "Value",
              nestedType: ["Value", "Duration", "AnyMessage"].map { DescriptorProto(name: $0) })
          ]),
      ], toGenerate: [], prefix: nil)
    #expect(
      index.messages.mapValues(\.swiftName) == [
        ".google.protobuf.Any": "AnyMessage", ".google.protobuf.Duration": "WireDuration",
        ".google.protobuf.Value": "Value", ".Value": "ValueMessage",
        ".Value.Value": "ValueMessage.ValueMessageMessage",
        ".Value.Duration": "ValueMessage.Duration",
        ".Value.AnyMessage": "ValueMessage.AnyMessageMessage",
      ])
  }

  @Test func collidingNamesGetTheirFieldNumbers() {
    #expect(SwiftNames.unique([("a", 1), ("b", 2), ("a", 3)]) == ["a1", "b", "a3"])
    // Enum aliases share a number, and a name may end in a number itself.
    #expect(
      Self.properties([("foo", 1), ("_foo", 2), ("foo1", 3)]) == ["foo11", "foo2", "foo1"])
    #expect(SwiftNames.unique([("a", 2), ("a", 2), ("a22", 3)]) == ["a2", "a222", "a22"])
  }

  @Test func enumCasesLoseTheEnumPrefix() {
    func names(_ enumName: String, _ values: String...) -> [String] {
      EnumCaseNames.names(of: values.enumerated().map { ($1, $0) }, in: enumName)
    }
    #expect(
      names("TripStatus", "UNKNOWN_TRIP_STATUS", "NEW", "ENROUTE_TO_PICKUP")
        == ["unknown", "new", "enrouteToPickup"])
    #expect(names("TripView", "TRIP_VIEW_UNSPECIFIED", "SDK") == ["unspecified", "sdk"])
    #expect(names("Version", "VERSION_UNKNOWN", "VERSION_2") == ["unknown", "version2"])
    #expect(names("SdkType", "SDK_TYPE_A", "A") == ["sdkTypeA", "a"])
    #expect(names("SdkType", "SDK_TYPE_A", "B", "b") == ["sdkTypeA", "b1", "b2"])
    #expect(
      names("E", "SELF", "RAW_VALUE", "_", "NAME", "NAME_") == [
        "selfValue", "rawValueValue", "underscore", "nameValue3", "nameValue4",
      ])
    #expect(names("E", "DEFAULT", "UNRECOGNIZED") == ["`default`", "unrecognizedValue"])
    #expect(names("HTTPMethod", "HTTPMETHOD_GET") == ["get"])
  }
}
