import Testing

@testable import CodeGen

@Suite struct SwiftNamesTests {
  @Test(arguments: [
    ("vehicle_id", "vehicleId"), ("name", "name"), ("SHOUTED_NAME", "shoutedName"),
    ("mixedCase", "mixedCase"), ("_field__name3", "fieldName3"), ("field_0_name", "field0Name"),
    ("FieldName8", "fieldName8"), ("2nd", "_2nd"), ("_", "_"), ("x", "x"),
  ])
  func fields(_ proto: String, _ swift: String) {
    #expect(SwiftNames.lowerCamel(proto) == swift)
  }

  @Test(
    arguments: [
      ("foo.bar_baz", nil, "Foo_BarBaz_"), ("", nil, ""), ("google.protobuf", nil, ""),
      ("google.rpc", nil, "Google_Rpc_"), ("google.rpc", "RPC", "RPC"), ("google.type", "", ""),
    ] as [(String, String?, String)])
  func prefixes(_ package: String, _ option: String?, _ prefix: String) {
    #expect(SwiftNames.prefix(package: package, option: option) == prefix)
  }

  @Test func keywordsAndTakenNames() {
    #expect(SwiftNames.escaped("class") == "`class`")
    #expect(SwiftNames.escaped("self") == "selfField")
    #expect(SwiftNames.escaped("name") == "name")
    #expect(SwiftNames.type("Type", fullName: ".x.Type", isEnum: true) == "TypeEnum")
    #expect(SwiftNames.type("String", fullName: ".x.String", isEnum: false) == "StringMessage")
    #expect(SwiftNames.type("Any", fullName: ".google.protobuf.Any", isEnum: false) == "AnyMessage")
    #expect(
      SwiftNames.type("Duration", fullName: ".google.protobuf.Duration", isEnum: false)
        == "WireDuration")
  }

  @Test func namesThatCollideGetTheirNumbers() {
    #expect(SwiftNames.unique([("a", 1), ("b", 2), ("a", 3)]) == ["a1", "b", "a3"])
    // Aliases of an enum share their number, and a name may end in one itself.
    #expect(SwiftNames.unique([("a", 2), ("a", 2), ("a2_", 3)]) == ["a2", "a2__", "a2_"])
  }

  @Test func enumCases() {
    func names(_ enumName: String, _ values: String...) -> [String] {
      EnumCaseNames.names(of: values.enumerated().map { ($1, $0) }, in: enumName)
    }
    #expect(
      names("TripStatus", "UNKNOWN_TRIP_STATUS", "NEW", "ENROUTE_TO_PICKUP")
        == ["unknown", "new", "enrouteToPickup"])
    #expect(names("TripView", "TRIP_VIEW_UNSPECIFIED", "SDK") == ["unspecified", "sdk"])
    #expect(names("Version", "VERSION_UNKNOWN", "VERSION_2") == ["unknown", "version2"])
    #expect(names("SdkType", "SDK_TYPE_A", "A") == ["sdkTypeA", "a"])
    #expect(names("E", "DEFAULT", "UNRECOGNIZED") == ["`default`", "unrecognized_"])
    #expect(names("HTTPMethod", "HTTPMETHOD_GET") == ["get"])
  }
}
