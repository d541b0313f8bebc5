package import WireProtobuf
package struct FileDescriptorSet: Sendable, Hashable {
package var `file`: [FileDescriptorProto] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct FileDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `package`: String?
package var `dependency`: [String] = []
package var `publicDependency`: [Int32] = []
package var `weakDependency`: [Int32] = []
package var `messageType`: [DescriptorProto] = []
package var `enumType`: [EnumDescriptorProto] = []
package var `service`: [ServiceDescriptorProto] = []
package var `extension`: [FieldDescriptorProto] = []
package var `options`: FileOptions?
package var `sourceCodeInfo`: SourceCodeInfo?
package var `syntax`: String?
package var unknownFields = UnknownFields()
package init() {}
}
package struct DescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `field`: [FieldDescriptorProto] = []
package var `extension`: [FieldDescriptorProto] = []
package var `nestedType`: [DescriptorProto] = []
package var `enumType`: [EnumDescriptorProto] = []
package var `extensionRange`: [DescriptorProto.ExtensionRange] = []
package var `oneofDecl`: [OneofDescriptorProto] = []
package var `options`: MessageOptions?
package var `reservedRange`: [DescriptorProto.ReservedRange] = []
package var `reservedName`: [String] = []
package var unknownFields = UnknownFields()
package init() {}
package struct ExtensionRange: Sendable, Hashable {
package var `start`: Int32?
package var `end`: Int32?
package var `options`: ExtensionRangeOptions?
package var unknownFields = UnknownFields()
package init() {}
}
package struct ReservedRange: Sendable, Hashable {
package var `start`: Int32?
package var `end`: Int32?
package var unknownFields = UnknownFields()
package init() {}
}
}
package struct ExtensionRangeOptions: Sendable, Hashable {
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct FieldDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `number`: Int32?
package var `label`: FieldDescriptorProto.Label?
package var `type`: FieldDescriptorProto.TypeEnum?
package var `typeName`: String?
package var `extendee`: String?
package var `defaultValue`: String?
package var `oneofIndex`: Int32?
package var `jsonName`: String?
package var `options`: FieldOptions?
package var `proto3Optional`: Bool?
package var unknownFields = UnknownFields()
package init() {}
package enum TypeEnum: ProtoEnum {
case `double`
case `float`
case `int64`
case `uint64`
case `int32`
case `fixed64`
case `fixed32`
case `bool`
case `string`
case `group`
case `message`
case `bytes`
case `uint32`
case `enum`
case `sfixed32`
case `sfixed64`
case `sint32`
case `sint64`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 1: self = .`double`
case 2: self = .`float`
case 3: self = .`int64`
case 4: self = .`uint64`
case 5: self = .`int32`
case 6: self = .`fixed64`
case 7: self = .`fixed32`
case 8: self = .`bool`
case 9: self = .`string`
case 10: self = .`group`
case 11: self = .`message`
case 12: self = .`bytes`
case 13: self = .`uint32`
case 14: self = .`enum`
case 15: self = .`sfixed32`
case 16: self = .`sfixed64`
case 17: self = .`sint32`
case 18: self = .`sint64`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`double`: 1
case .`float`: 2
case .`int64`: 3
case .`uint64`: 4
case .`int32`: 5
case .`fixed64`: 6
case .`fixed32`: 7
case .`bool`: 8
case .`string`: 9
case .`group`: 10
case .`message`: 11
case .`bytes`: 12
case .`uint32`: 13
case .`enum`: 14
case .`sfixed32`: 15
case .`sfixed64`: 16
case .`sint32`: 17
case .`sint64`: 18
case .unrecognized(let n): n } } }
package enum Label: ProtoEnum {
case `optional`
case `required`
case `repeated`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 1: self = .`optional`
case 2: self = .`required`
case 3: self = .`repeated`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`optional`: 1
case .`required`: 2
case .`repeated`: 3
case .unrecognized(let n): n } } }
}
package struct OneofDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `options`: OneofOptions?
package var unknownFields = UnknownFields()
package init() {}
}
package struct EnumDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `value`: [EnumValueDescriptorProto] = []
package var `options`: EnumOptions?
package var `reservedRange`: [EnumDescriptorProto.EnumReservedRange] = []
package var `reservedName`: [String] = []
package var unknownFields = UnknownFields()
package init() {}
package struct EnumReservedRange: Sendable, Hashable {
package var `start`: Int32?
package var `end`: Int32?
package var unknownFields = UnknownFields()
package init() {}
}
}
package struct EnumValueDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `number`: Int32?
package var `options`: EnumValueOptions?
package var unknownFields = UnknownFields()
package init() {}
}
package struct ServiceDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `method`: [MethodDescriptorProto] = []
package var `options`: ServiceOptions?
package var unknownFields = UnknownFields()
package init() {}
}
package struct MethodDescriptorProto: Sendable, Hashable {
package var `name`: String?
package var `inputType`: String?
package var `outputType`: String?
package var `options`: MethodOptions?
package var `clientStreaming`: Bool?
package var `serverStreaming`: Bool?
package var unknownFields = UnknownFields()
package init() {}
}
package struct FileOptions: Sendable, Hashable {
package var `javaPackage`: String?
package var `javaOuterClassname`: String?
package var `javaMultipleFiles`: Bool?
package var `javaGenerateEqualsAndHash`: Bool?
package var `javaStringCheckUtf8`: Bool?
package var `optimizeFor`: FileOptions.OptimizeMode?
package var `goPackage`: String?
package var `ccGenericServices`: Bool?
package var `javaGenericServices`: Bool?
package var `pyGenericServices`: Bool?
package var `phpGenericServices`: Bool?
package var `deprecated`: Bool?
package var `ccEnableArenas`: Bool?
package var `objcClassPrefix`: String?
package var `csharpNamespace`: String?
package var `swiftPrefix`: String?
package var `phpClassPrefix`: String?
package var `phpNamespace`: String?
package var `phpMetadataNamespace`: String?
package var `rubyPackage`: String?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
package enum OptimizeMode: ProtoEnum {
case `speed`
case `codeSize`
case `liteRuntime`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 1: self = .`speed`
case 2: self = .`codeSize`
case 3: self = .`liteRuntime`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`speed`: 1
case .`codeSize`: 2
case .`liteRuntime`: 3
case .unrecognized(let n): n } } }
}
package struct MessageOptions: Sendable, Hashable {
package var `messageSetWireFormat`: Bool?
package var `noStandardDescriptorAccessor`: Bool?
package var `deprecated`: Bool?
package var `mapEntry`: Bool?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct FieldOptions: Sendable, Hashable {
package var `ctype`: FieldOptions.CType?
package var `packed`: Bool?
package var `jstype`: FieldOptions.JSType?
package var `lazy`: Bool?
package var `unverifiedLazy`: Bool?
package var `deprecated`: Bool?
package var `weak`: Bool?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
package enum CType: ProtoEnum {
case `string`
case `cord`
case `stringPiece`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 0: self = .`string`
case 1: self = .`cord`
case 2: self = .`stringPiece`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`string`: 0
case .`cord`: 1
case .`stringPiece`: 2
case .unrecognized(let n): n } } }
package enum JSType: ProtoEnum {
case `jsNormal`
case `jsString`
case `jsNumber`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 0: self = .`jsNormal`
case 1: self = .`jsString`
case 2: self = .`jsNumber`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`jsNormal`: 0
case .`jsString`: 1
case .`jsNumber`: 2
case .unrecognized(let n): n } } }
}
package struct OneofOptions: Sendable, Hashable {
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct EnumOptions: Sendable, Hashable {
package var `allowAlias`: Bool?
package var `deprecated`: Bool?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct EnumValueOptions: Sendable, Hashable {
package var `deprecated`: Bool?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct ServiceOptions: Sendable, Hashable {
package var `deprecated`: Bool?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct MethodOptions: Sendable, Hashable {
package var `deprecated`: Bool?
package var `idempotencyLevel`: MethodOptions.IdempotencyLevel?
package var `uninterpretedOption`: [UninterpretedOption] = []
package var unknownFields = UnknownFields()
package init() {}
package enum IdempotencyLevel: ProtoEnum {
case `idempotencyUnknown`
case `noSideEffects`
case `idempotent`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 0: self = .`idempotencyUnknown`
case 1: self = .`noSideEffects`
case 2: self = .`idempotent`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`idempotencyUnknown`: 0
case .`noSideEffects`: 1
case .`idempotent`: 2
case .unrecognized(let n): n } } }
}
package struct UninterpretedOption: Sendable, Hashable {
package var `name`: [UninterpretedOption.NamePart] = []
package var `identifierValue`: String?
package var `positiveIntValue`: UInt64?
package var `negativeIntValue`: Int64?
package var `doubleValue`: Double?
package var `stringValue`: [UInt8]?
package var `aggregateValue`: String?
package var unknownFields = UnknownFields()
package init() {}
package struct NamePart: Sendable, Hashable {
package var `namePart`: String?
package var `isExtension`: Bool?
package var unknownFields = UnknownFields()
package init() {}
}
}
package struct SourceCodeInfo: Sendable, Hashable {
package var `location`: [SourceCodeInfo.Location] = []
package var unknownFields = UnknownFields()
package init() {}
package struct Location: Sendable, Hashable {
package var `path`: [Int32] = []
package var `span`: [Int32] = []
package var `leadingComments`: String?
package var `trailingComments`: String?
package var `leadingDetachedComments`: [String] = []
package var unknownFields = UnknownFields()
package init() {}
}
}
package struct GeneratedCodeInfo: Sendable, Hashable {
package var `annotation`: [GeneratedCodeInfo.Annotation] = []
package var unknownFields = UnknownFields()
package init() {}
package struct Annotation: Sendable, Hashable {
package var `path`: [Int32] = []
package var `sourceFile`: String?
package var `begin`: Int32?
package var `end`: Int32?
package var unknownFields = UnknownFields()
package init() {}
}
}
package struct Version: Sendable, Hashable {
package var `major`: Int32?
package var `minor`: Int32?
package var `patch`: Int32?
package var `suffix`: String?
package var unknownFields = UnknownFields()
package init() {}
}
package struct CodeGeneratorRequest: Sendable, Hashable {
package var `fileToGenerate`: [String] = []
package var `parameter`: String?
package var `compilerVersion`: Version?
package var `protoFile`: [FileDescriptorProto] = []
package var unknownFields = UnknownFields()
package init() {}
}
package struct CodeGeneratorResponse: Sendable, Hashable {
package var `error`: String?
package var `supportedFeatures`: UInt64?
package var `file`: [CodeGeneratorResponse.File] = []
package var unknownFields = UnknownFields()
package init() {}
package enum Feature: ProtoEnum {
case `none`
case `proto3Optional`
case unrecognized(Int32)
package static var enumName: String { "" }
package init?(name: String) { return nil }
package var name: String? { nil }
package init(rawValue: Int32) { switch rawValue {
case 0: self = .`none`
case 1: self = .`proto3Optional`
default: self = .unrecognized(rawValue) } }
package var rawValue: Int32 { switch self {
case .`none`: 0
case .`proto3Optional`: 1
case .unrecognized(let n): n } } }
package struct File: Sendable, Hashable {
package var `name`: String?
package var `content`: String?
package var unknownFields = UnknownFields()
package init() {}
}
}
extension FileDescriptorSet: Message { package static var messageName: String { "FileDescriptorSet" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.messages(&`file`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`file`, 1, "file")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension FileDescriptorProto: Message { package static var messageName: String { "FileDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.optional(&`package`, .string)
case 3: try decoder.repeated(&`dependency`, .string)
case 10: try decoder.repeated(&`publicDependency`, .int32)
case 11: try decoder.repeated(&`weakDependency`, .int32)
case 4: try decoder.messages(&`messageType`)
case 5: try decoder.messages(&`enumType`)
case 6: try decoder.messages(&`service`)
case 7: try decoder.messages(&`extension`)
case 8: try decoder.message(&`options`)
case 9: try decoder.message(&`sourceCodeInfo`)
case 12: try decoder.optional(&`syntax`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.optional(`package`, .string, 2, "package")
try visitor.repeated(`dependency`, .string, 3, "dependency")
try visitor.repeated(`publicDependency`, .int32, 10, "publicDependency")
try visitor.repeated(`weakDependency`, .int32, 11, "weakDependency")
try visitor.messages(`messageType`, 4, "messageType")
try visitor.messages(`enumType`, 5, "enumType")
try visitor.messages(`service`, 6, "service")
try visitor.messages(`extension`, 7, "extension")
try visitor.message(`options`, 8, "options")
try visitor.message(`sourceCodeInfo`, 9, "sourceCodeInfo")
try visitor.optional(`syntax`, .string, 12, "syntax")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension DescriptorProto.ExtensionRange: Message { package static var messageName: String { "ExtensionRange" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`start`, .int32)
case 2: try decoder.optional(&`end`, .int32)
case 3: try decoder.message(&`options`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`start`, .int32, 1, "start")
try visitor.optional(`end`, .int32, 2, "end")
try visitor.message(`options`, 3, "options")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension DescriptorProto.ReservedRange: Message { package static var messageName: String { "ReservedRange" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`start`, .int32)
case 2: try decoder.optional(&`end`, .int32)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`start`, .int32, 1, "start")
try visitor.optional(`end`, .int32, 2, "end")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension DescriptorProto: Message { package static var messageName: String { "DescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.messages(&`field`)
case 6: try decoder.messages(&`extension`)
case 3: try decoder.messages(&`nestedType`)
case 4: try decoder.messages(&`enumType`)
case 5: try decoder.messages(&`extensionRange`)
case 8: try decoder.messages(&`oneofDecl`)
case 7: try decoder.message(&`options`)
case 9: try decoder.messages(&`reservedRange`)
case 10: try decoder.repeated(&`reservedName`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.messages(`field`, 2, "field")
try visitor.messages(`extension`, 6, "extension")
try visitor.messages(`nestedType`, 3, "nestedType")
try visitor.messages(`enumType`, 4, "enumType")
try visitor.messages(`extensionRange`, 5, "extensionRange")
try visitor.messages(`oneofDecl`, 8, "oneofDecl")
try visitor.message(`options`, 7, "options")
try visitor.messages(`reservedRange`, 9, "reservedRange")
try visitor.repeated(`reservedName`, .string, 10, "reservedName")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension ExtensionRangeOptions: Message { package static var messageName: String { "ExtensionRangeOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension FieldDescriptorProto: Message { package static var messageName: String { "FieldDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 3: try decoder.optional(&`number`, .int32)
case 4: try decoder.optional(&`label`, .enum(FieldDescriptorProto.Label.self))
case 5: try decoder.optional(&`type`, .enum(FieldDescriptorProto.TypeEnum.self))
case 6: try decoder.optional(&`typeName`, .string)
case 2: try decoder.optional(&`extendee`, .string)
case 7: try decoder.optional(&`defaultValue`, .string)
case 9: try decoder.optional(&`oneofIndex`, .int32)
case 10: try decoder.optional(&`jsonName`, .string)
case 8: try decoder.message(&`options`)
case 17: try decoder.optional(&`proto3Optional`, .bool)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.optional(`number`, .int32, 3, "number")
try visitor.optional(`label`, .enum(FieldDescriptorProto.Label.self), 4, "label")
try visitor.optional(`type`, .enum(FieldDescriptorProto.TypeEnum.self), 5, "type")
try visitor.optional(`typeName`, .string, 6, "typeName")
try visitor.optional(`extendee`, .string, 2, "extendee")
try visitor.optional(`defaultValue`, .string, 7, "defaultValue")
try visitor.optional(`oneofIndex`, .int32, 9, "oneofIndex")
try visitor.optional(`jsonName`, .string, 10, "jsonName")
try visitor.message(`options`, 8, "options")
try visitor.optional(`proto3Optional`, .bool, 17, "proto3Optional")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension OneofDescriptorProto: Message { package static var messageName: String { "OneofDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.message(&`options`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.message(`options`, 2, "options")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension EnumDescriptorProto.EnumReservedRange: Message { package static var messageName: String { "EnumReservedRange" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`start`, .int32)
case 2: try decoder.optional(&`end`, .int32)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`start`, .int32, 1, "start")
try visitor.optional(`end`, .int32, 2, "end")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension EnumDescriptorProto: Message { package static var messageName: String { "EnumDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.messages(&`value`)
case 3: try decoder.message(&`options`)
case 4: try decoder.messages(&`reservedRange`)
case 5: try decoder.repeated(&`reservedName`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.messages(`value`, 2, "value")
try visitor.message(`options`, 3, "options")
try visitor.messages(`reservedRange`, 4, "reservedRange")
try visitor.repeated(`reservedName`, .string, 5, "reservedName")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension EnumValueDescriptorProto: Message { package static var messageName: String { "EnumValueDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.optional(&`number`, .int32)
case 3: try decoder.message(&`options`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.optional(`number`, .int32, 2, "number")
try visitor.message(`options`, 3, "options")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension ServiceDescriptorProto: Message { package static var messageName: String { "ServiceDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.messages(&`method`)
case 3: try decoder.message(&`options`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.messages(`method`, 2, "method")
try visitor.message(`options`, 3, "options")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension MethodDescriptorProto: Message { package static var messageName: String { "MethodDescriptorProto" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 2: try decoder.optional(&`inputType`, .string)
case 3: try decoder.optional(&`outputType`, .string)
case 4: try decoder.message(&`options`)
case 5: try decoder.optional(&`clientStreaming`, .bool)
case 6: try decoder.optional(&`serverStreaming`, .bool)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.optional(`inputType`, .string, 2, "inputType")
try visitor.optional(`outputType`, .string, 3, "outputType")
try visitor.message(`options`, 4, "options")
try visitor.optional(`clientStreaming`, .bool, 5, "clientStreaming")
try visitor.optional(`serverStreaming`, .bool, 6, "serverStreaming")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension FileOptions: Message { package static var messageName: String { "FileOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`javaPackage`, .string)
case 8: try decoder.optional(&`javaOuterClassname`, .string)
case 10: try decoder.optional(&`javaMultipleFiles`, .bool)
case 20: try decoder.optional(&`javaGenerateEqualsAndHash`, .bool)
case 27: try decoder.optional(&`javaStringCheckUtf8`, .bool)
case 9: try decoder.optional(&`optimizeFor`, .enum(FileOptions.OptimizeMode.self))
case 11: try decoder.optional(&`goPackage`, .string)
case 16: try decoder.optional(&`ccGenericServices`, .bool)
case 17: try decoder.optional(&`javaGenericServices`, .bool)
case 18: try decoder.optional(&`pyGenericServices`, .bool)
case 42: try decoder.optional(&`phpGenericServices`, .bool)
case 23: try decoder.optional(&`deprecated`, .bool)
case 31: try decoder.optional(&`ccEnableArenas`, .bool)
case 36: try decoder.optional(&`objcClassPrefix`, .string)
case 37: try decoder.optional(&`csharpNamespace`, .string)
case 39: try decoder.optional(&`swiftPrefix`, .string)
case 40: try decoder.optional(&`phpClassPrefix`, .string)
case 41: try decoder.optional(&`phpNamespace`, .string)
case 44: try decoder.optional(&`phpMetadataNamespace`, .string)
case 45: try decoder.optional(&`rubyPackage`, .string)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`javaPackage`, .string, 1, "javaPackage")
try visitor.optional(`javaOuterClassname`, .string, 8, "javaOuterClassname")
try visitor.optional(`javaMultipleFiles`, .bool, 10, "javaMultipleFiles")
try visitor.optional(`javaGenerateEqualsAndHash`, .bool, 20, "javaGenerateEqualsAndHash")
try visitor.optional(`javaStringCheckUtf8`, .bool, 27, "javaStringCheckUtf8")
try visitor.optional(`optimizeFor`, .enum(FileOptions.OptimizeMode.self), 9, "optimizeFor")
try visitor.optional(`goPackage`, .string, 11, "goPackage")
try visitor.optional(`ccGenericServices`, .bool, 16, "ccGenericServices")
try visitor.optional(`javaGenericServices`, .bool, 17, "javaGenericServices")
try visitor.optional(`pyGenericServices`, .bool, 18, "pyGenericServices")
try visitor.optional(`phpGenericServices`, .bool, 42, "phpGenericServices")
try visitor.optional(`deprecated`, .bool, 23, "deprecated")
try visitor.optional(`ccEnableArenas`, .bool, 31, "ccEnableArenas")
try visitor.optional(`objcClassPrefix`, .string, 36, "objcClassPrefix")
try visitor.optional(`csharpNamespace`, .string, 37, "csharpNamespace")
try visitor.optional(`swiftPrefix`, .string, 39, "swiftPrefix")
try visitor.optional(`phpClassPrefix`, .string, 40, "phpClassPrefix")
try visitor.optional(`phpNamespace`, .string, 41, "phpNamespace")
try visitor.optional(`phpMetadataNamespace`, .string, 44, "phpMetadataNamespace")
try visitor.optional(`rubyPackage`, .string, 45, "rubyPackage")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension MessageOptions: Message { package static var messageName: String { "MessageOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`messageSetWireFormat`, .bool)
case 2: try decoder.optional(&`noStandardDescriptorAccessor`, .bool)
case 3: try decoder.optional(&`deprecated`, .bool)
case 7: try decoder.optional(&`mapEntry`, .bool)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`messageSetWireFormat`, .bool, 1, "messageSetWireFormat")
try visitor.optional(`noStandardDescriptorAccessor`, .bool, 2, "noStandardDescriptorAccessor")
try visitor.optional(`deprecated`, .bool, 3, "deprecated")
try visitor.optional(`mapEntry`, .bool, 7, "mapEntry")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension FieldOptions: Message { package static var messageName: String { "FieldOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`ctype`, .enum(FieldOptions.CType.self))
case 2: try decoder.optional(&`packed`, .bool)
case 6: try decoder.optional(&`jstype`, .enum(FieldOptions.JSType.self))
case 5: try decoder.optional(&`lazy`, .bool)
case 15: try decoder.optional(&`unverifiedLazy`, .bool)
case 3: try decoder.optional(&`deprecated`, .bool)
case 10: try decoder.optional(&`weak`, .bool)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`ctype`, .enum(FieldOptions.CType.self), 1, "ctype")
try visitor.optional(`packed`, .bool, 2, "packed")
try visitor.optional(`jstype`, .enum(FieldOptions.JSType.self), 6, "jstype")
try visitor.optional(`lazy`, .bool, 5, "lazy")
try visitor.optional(`unverifiedLazy`, .bool, 15, "unverifiedLazy")
try visitor.optional(`deprecated`, .bool, 3, "deprecated")
try visitor.optional(`weak`, .bool, 10, "weak")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension OneofOptions: Message { package static var messageName: String { "OneofOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension EnumOptions: Message { package static var messageName: String { "EnumOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 2: try decoder.optional(&`allowAlias`, .bool)
case 3: try decoder.optional(&`deprecated`, .bool)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`allowAlias`, .bool, 2, "allowAlias")
try visitor.optional(`deprecated`, .bool, 3, "deprecated")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension EnumValueOptions: Message { package static var messageName: String { "EnumValueOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`deprecated`, .bool)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`deprecated`, .bool, 1, "deprecated")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension ServiceOptions: Message { package static var messageName: String { "ServiceOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 33: try decoder.optional(&`deprecated`, .bool)
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`deprecated`, .bool, 33, "deprecated")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension MethodOptions: Message { package static var messageName: String { "MethodOptions" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 33: try decoder.optional(&`deprecated`, .bool)
case 34: try decoder.optional(&`idempotencyLevel`, .enum(MethodOptions.IdempotencyLevel.self))
case 999: try decoder.messages(&`uninterpretedOption`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`deprecated`, .bool, 33, "deprecated")
try visitor.optional(`idempotencyLevel`, .enum(MethodOptions.IdempotencyLevel.self), 34, "idempotencyLevel")
try visitor.messages(`uninterpretedOption`, 999, "uninterpretedOption")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension UninterpretedOption.NamePart: Message { package static var messageName: String { "NamePart" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`namePart`, .string)
case 2: try decoder.optional(&`isExtension`, .bool)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`namePart`, .string, 1, "namePart")
try visitor.optional(`isExtension`, .bool, 2, "isExtension")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension UninterpretedOption: Message { package static var messageName: String { "UninterpretedOption" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 2: try decoder.messages(&`name`)
case 3: try decoder.optional(&`identifierValue`, .string)
case 4: try decoder.optional(&`positiveIntValue`, .uint64)
case 5: try decoder.optional(&`negativeIntValue`, .int64)
case 6: try decoder.optional(&`doubleValue`, .double)
case 7: try decoder.optional(&`stringValue`, .bytes)
case 8: try decoder.optional(&`aggregateValue`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`name`, 2, "name")
try visitor.optional(`identifierValue`, .string, 3, "identifierValue")
try visitor.optional(`positiveIntValue`, .uint64, 4, "positiveIntValue")
try visitor.optional(`negativeIntValue`, .int64, 5, "negativeIntValue")
try visitor.optional(`doubleValue`, .double, 6, "doubleValue")
try visitor.optional(`stringValue`, .bytes, 7, "stringValue")
try visitor.optional(`aggregateValue`, .string, 8, "aggregateValue")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension SourceCodeInfo.Location: Message { package static var messageName: String { "Location" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.repeated(&`path`, .int32)
case 2: try decoder.repeated(&`span`, .int32)
case 3: try decoder.optional(&`leadingComments`, .string)
case 4: try decoder.optional(&`trailingComments`, .string)
case 6: try decoder.repeated(&`leadingDetachedComments`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.repeated(`path`, .int32, 1, "path")
try visitor.repeated(`span`, .int32, 2, "span")
try visitor.optional(`leadingComments`, .string, 3, "leadingComments")
try visitor.optional(`trailingComments`, .string, 4, "trailingComments")
try visitor.repeated(`leadingDetachedComments`, .string, 6, "leadingDetachedComments")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension SourceCodeInfo: Message { package static var messageName: String { "SourceCodeInfo" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.messages(&`location`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`location`, 1, "location")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension GeneratedCodeInfo.Annotation: Message { package static var messageName: String { "Annotation" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.repeated(&`path`, .int32)
case 2: try decoder.optional(&`sourceFile`, .string)
case 3: try decoder.optional(&`begin`, .int32)
case 4: try decoder.optional(&`end`, .int32)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.repeated(`path`, .int32, 1, "path")
try visitor.optional(`sourceFile`, .string, 2, "sourceFile")
try visitor.optional(`begin`, .int32, 3, "begin")
try visitor.optional(`end`, .int32, 4, "end")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension GeneratedCodeInfo: Message { package static var messageName: String { "GeneratedCodeInfo" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.messages(&`annotation`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.messages(`annotation`, 1, "annotation")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension Version: Message { package static var messageName: String { "Version" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`major`, .int32)
case 2: try decoder.optional(&`minor`, .int32)
case 3: try decoder.optional(&`patch`, .int32)
case 4: try decoder.optional(&`suffix`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`major`, .int32, 1, "major")
try visitor.optional(`minor`, .int32, 2, "minor")
try visitor.optional(`patch`, .int32, 3, "patch")
try visitor.optional(`suffix`, .string, 4, "suffix")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension CodeGeneratorRequest: Message { package static var messageName: String { "CodeGeneratorRequest" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.repeated(&`fileToGenerate`, .string)
case 2: try decoder.optional(&`parameter`, .string)
case 3: try decoder.message(&`compilerVersion`)
case 15: try decoder.messages(&`protoFile`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.repeated(`fileToGenerate`, .string, 1, "fileToGenerate")
try visitor.optional(`parameter`, .string, 2, "parameter")
try visitor.message(`compilerVersion`, 3, "compilerVersion")
try visitor.messages(`protoFile`, 15, "protoFile")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension CodeGeneratorResponse.File: Message { package static var messageName: String { "File" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`name`, .string)
case 15: try decoder.optional(&`content`, .string)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`name`, .string, 1, "name")
try visitor.optional(`content`, .string, 15, "content")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
extension CodeGeneratorResponse: Message { package static var messageName: String { "CodeGeneratorResponse" }
package static let fields = FieldTable()
private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) { while let field = try decoder.nextField(&unknownFields) { switch field {
case 1: try decoder.optional(&`error`, .string)
case 2: try decoder.optional(&`supportedFeatures`, .uint64)
case 15: try decoder.messages(&`file`)
default: decoder.skipField() } } }
private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
try visitor.optional(`error`, .string, 1, "error")
try visitor.optional(`supportedFeatures`, .uint64, 2, "supportedFeatures")
try visitor.messages(`file`, 15, "file")
visitor.unknown(unknownFields) }
package mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) { try decode(from: &reader) }
package func measure(with counter: inout SizeCounter) { visit(&counter) }
package func write(to writer: inout WireWriter) { visit(&writer) }
package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) { }
}
