package import ProtobufDescriptors

/// Descriptors of a few files, each of which imports the previous one.
package enum Descriptors {
  package static let base = file("a/base.proto", "a") {
    var outer = DescriptorProto()
    outer.name = "Outer"
    outer.field = [field("inner", 1)]
    outer.oneofDecl = [.init()]
    outer.oneofDecl[0].name = "choice"
    var inner = DescriptorProto()
    inner.name = "Inner"
    inner.enumType = [enumeration("Kind", ["KIND_NONE"])]
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
    var holder = DescriptorProto()
    holder.name = "Holder"
    holder.`extension` = [high]
    $0.messageType = [holder]
  }

  package static let echo = file("test/echo.proto", "test") {
    $0.dependency = ["b/options.proto"]
    var service = ServiceDescriptorProto()
    service.name = "Echo"
    var method = MethodDescriptorProto()
    method.name = "Say"
    method.inputType = ".a.Outer"
    method.outputType = ".a.Outer"
    service.method = [method]
    $0.service = [service]
  }

  package static let all = [base, options, echo]

  package static func file(
    _ name: String, _ package: String, _ fill: (inout FileDescriptorProto) -> Void
  ) -> FileDescriptorProto {
    var file = FileDescriptorProto()
    file.name = name
    file.package = package
    fill(&file)
    return file
  }

  private static func field(_ name: String, _ number: Int32) -> FieldDescriptorProto {
    var field = FieldDescriptorProto()
    field.name = name
    field.number = number
    return field
  }

  private static func enumeration(_ name: String, _ values: [String]) -> EnumDescriptorProto {
    var type = EnumDescriptorProto()
    type.name = name
    type.value = values.map {
      var value = EnumValueDescriptorProto()
      value.name = $0
      return value
    }
    return type
  }
}
