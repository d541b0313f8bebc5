package import ProtobufDescriptors

/// Descriptors of a few files, each of which imports the previous one.
package enum Descriptors {
  package static let base = file("a/base.proto", "a") {
    var outer = DescriptorProto(name: "Outer", field: [field("inner", 1)], oneofDecl: [.init()])
    outer.oneofDecl[0].name = "choice"
    let inner = DescriptorProto(name: "Inner", enumType: [enumeration("Kind", ["KIND_NONE"])])
    outer.nestedType = [inner]
    $0.messageType = [outer]
    $0.enumType = [enumeration("Color", ["RED", "BLUE"])]
  }

  package static let options = file("b/options.proto", "b") {
    $0.dependency = ["a/base.proto", "absent.proto"]
    var wide = field("wide", 51)
    wide.extendee = ".a.Outer"
    var high = field("high", 50)
    high.extendee = ".a.Outer"
    $0.`extension` = [wide]
    $0.messageType = [DescriptorProto(name: "Holder", extension: [high])]
  }

  package static let echo = file("test/echo.proto", "test") {
    $0.dependency = ["b/options.proto"]
    var service = ServiceDescriptorProto(name: "Echo")
    let method = MethodDescriptorProto(name: "Say", inputType: ".a.Outer", outputType: ".a.Outer")
    service.method = [method]
    $0.service = [service]
  }

  package static let all = [base, options, echo]

  package static func file(
    _ name: String, _ package: String, _ fill: (inout FileDescriptorProto) -> Void
  ) -> FileDescriptorProto {
    var file = FileDescriptorProto(name: name, package: package)
    fill(&file)
    return file
  }

  private static func field(_ name: String, _ number: Int32) -> FieldDescriptorProto {
    FieldDescriptorProto(name: name, number: number)
  }

  private static func enumeration(_ name: String, _ values: [String]) -> EnumDescriptorProto {
    EnumDescriptorProto(
      name: name,
      value: values.map {
        EnumValueDescriptorProto(name: $0)
      })
  }
}
