import ProtobufDescriptors
import Testing
import WireGRPC
import WireProtobuf

@testable import CodeGen

@Suite struct CodeGeneratorTests {
  /// Returns the plugin's response for one file.
  static func response(
    _ file: FileDescriptorProto, others: [FileDescriptorProto] = [], parameter: String = ""
  ) -> CodeGeneratorResponse {
    let request = CodeGeneratorRequest(
      fileToGenerate: [file.name ?? ""], parameter: parameter, protoFile: others + [file])
    return CodeGenerator.response(to: request) { path throws(GenerationError) in
      throw GenerationError("\(path): no such file")
    }
  }

  static func field(
    _ name: String, _ number: Int32, _ type: FieldDescriptorProto.TypeEnum,
    label: FieldDescriptorProto.Label = .optional, typeName: String? = nil, oneof: Int32? = nil
  ) -> FieldDescriptorProto {
    FieldDescriptorProto(
      name: name, number: number, label: label, type: type, typeName: typeName,
      oneofIndex: oneof, jsonName: SwiftNames.lowerCamel(name))
  }

  /// `make check-generated` compares whole files.
  @Test func commentsBecomeDocumentation() throws {
    let file = FileDescriptorProto(
      name: "cart.proto",
      messageType: [DescriptorProto(name: "Cart", field: [Self.field("owner_id", 1, .string)])],
      sourceCodeInfo: SourceCodeInfo(location: [
        .init(path: [4, 0], leadingComments: " What is to be bought.\n\n Soon.\n"),
        .init(
          path: [4, 0, 2, 0], leadingComments: " Whose it is.\n",
          trailingComments: " Never empty.\n"),
      ]),
      syntax: "proto3")
    let text = try #require(Self.response(file).file.first?.content)
    #expect(
      text.contains("\n/// What is to be bought.\n///\n/// Soon.\ninternal nonisolated struct Cart")
    )
    #expect(
      text.contains("\n  /// Whose it is.\n  ///\n  /// Never empty.\n  internal var ownerId"))
  }

  /// The rules of Fleet Engine's updates name a field of the updated resource.
  @Test(
    arguments: [
      ("task.name", "{ $0.task?.name ?? \"\" })"),
      ("task.task.name", "{ $0.task?.task?.name ?? \"\" })"),
      ("task", nil), ("task.other", nil), ("name.name", nil), ("task.", nil),
    ] as [(String, String?)])
  func routingRuleMayNameANestedField(path: String, expression: String?) throws {
    var task = Self.field("task", 2, .message)
    task.typeName = ".pkg.Ask"
    let rule = MethodExtensions(
      routing: RoutingRuleMessage(routingParameters: [
        RoutingParameter(field: path, pathTemplate: "{provider_id=providers/*}")
      ]))
    let file = FileDescriptorProto(
      name: "b.proto", package: "pkg",
      messageType: [
        DescriptorProto(name: "Ask", field: [Self.field("name", 1, .string), task])
      ],
      service: [
        ServiceDescriptorProto(
          name: "Oracle",
          method: [
            MethodDescriptorProto(
              name: "Get", inputType: ".pkg.Ask", outputType: ".pkg.Ask",
              options: try MethodOptions(serializedBytes: rule.serializedBytes()))
          ])
      ], syntax: "proto3")
    let response = Self.response(file)
    guard let expression else {
      #expect(response.error?.contains("google.api.routing names \(path), which is not") == true)
      return
    }
    #expect(response.file.first?.content?.contains(expression) == true, "\(response.error ?? "")")
  }

  @Test func serviceHasDescriptorsAndAClient() throws {
    let other = FileDescriptorProto(
      name: "a.proto", package: "pkg",
      messageType: [
        DescriptorProto(name: "Ask", field: [Self.field("name", 1, .string)]),
        DescriptorProto(name: "Answer"),
      ], syntax: "proto3")
    var options = MethodOptions()
    let rule = MethodExtensions(
      routing: RoutingRuleMessage(routingParameters: [
        RoutingParameter(field: "name", pathTemplate: "{provider_id=providers/*}")
      ]))
    options = try MethodOptions(serializedBytes: rule.serializedBytes())
    let file = FileDescriptorProto(
      name: "b.proto", package: "pkg",
      service: [
        ServiceDescriptorProto(
          name: "Oracle",
          method: [
            MethodDescriptorProto(
              name: "Get", inputType: ".pkg.Ask", outputType: ".pkg.Answer", options: options),
            MethodDescriptorProto(
              name: "Watch", inputType: ".pkg.Ask", outputType: ".pkg.Answer", serverStreaming: true
            ),
            MethodDescriptorProto(
              name: "Record", inputType: ".pkg.Ask", outputType: ".pkg.Answer",
              clientStreaming: true
            ),
            MethodDescriptorProto(
              name: "Talk", inputType: ".pkg.Ask", outputType: ".pkg.Answer", clientStreaming: true,
              serverStreaming: true),
            MethodDescriptorProto(
              name: "Default", inputType: ".pkg.Ask", outputType: ".pkg.Answer"),
          ])
      ], syntax: "proto3")
    let response = Self.response(file, others: [other])
    #expect(
      response.file.first?.content == """
        // Generated by protoc-gen-tripwire from b.proto. Do not edit.
        // swift-format-ignore-file

        import WireGRPCClient
        import WireProtobuf

        internal nonisolated enum Pkg_OracleMethods {
          internal static let get = MethodDescriptor<Pkg_Ask, Pkg_Answer>(
            service: "pkg.Oracle", method: "Get",
            routing: RoutingRule(field: "name", template: "{provider_id=providers/*}") { $0.name })

          internal static let watch = MethodDescriptor<Pkg_Ask, Pkg_Answer>(
            service: "pkg.Oracle", method: "Watch",
            kind: .serverStreaming)

          internal static let record = MethodDescriptor<Pkg_Ask, Pkg_Answer>(
            service: "pkg.Oracle", method: "Record",
            kind: .clientStreaming)

          internal static let talk = MethodDescriptor<Pkg_Ask, Pkg_Answer>(
            service: "pkg.Oracle", method: "Talk",
            kind: .bidirectional)

          internal static let `default` = MethodDescriptor<Pkg_Ask, Pkg_Answer>(
            service: "pkg.Oracle", method: "Default")
        }

        /// The methods of `pkg.Oracle`, which a test can implement in place of the client.
        internal nonisolated protocol Pkg_OracleClientProtocol: Sendable {
          nonisolated(nonsending) func get(
            _ request: Pkg_Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Pkg_Answer>

          func watch(
            _ request: Pkg_Ask, options: CallOptions
          ) -> ResponseStream<Pkg_Answer>

          nonisolated(nonsending) func record(
            options: CallOptions,
            _ body: nonisolated(nonsending) (RequestWriter<Pkg_Ask>) async throws -> Void
          ) async throws(CallError) -> CallResponse<Pkg_Answer>

          func talk(
            options: CallOptions
          ) -> BidirectionalCall<Pkg_Ask, Pkg_Answer>

          nonisolated(nonsending) func `default`(
            _ request: Pkg_Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Pkg_Answer>
        }

        nonisolated extension Pkg_OracleClientProtocol {
          internal nonisolated(nonsending) func get(
            _ request: Pkg_Ask
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await get(request, options: CallOptions())
          }

          internal nonisolated(nonsending) func get(
            _ request: Pkg_Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            throw Pkg_OracleMethods.get.unimplemented
          }

          internal func watch(
            _ request: Pkg_Ask
          ) -> ResponseStream<Pkg_Answer> {
            watch(request, options: CallOptions())
          }

          internal func watch(
            _ request: Pkg_Ask, options: CallOptions
          ) -> ResponseStream<Pkg_Answer> {
            ResponseStream([], failure: Pkg_OracleMethods.watch.unimplemented)
          }

          internal nonisolated(nonsending) func record(
            _ body: nonisolated(nonsending) (RequestWriter<Pkg_Ask>) async throws -> Void
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await record(options: CallOptions(), body)
          }

          internal nonisolated(nonsending) func record(
            options: CallOptions,
            _ body: nonisolated(nonsending) (RequestWriter<Pkg_Ask>) async throws -> Void
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            throw Pkg_OracleMethods.record.unimplemented
          }

          internal func talk() -> BidirectionalCall<Pkg_Ask, Pkg_Answer> {
            talk(options: CallOptions())
          }

          internal func talk(
            options: CallOptions
          ) -> BidirectionalCall<Pkg_Ask, Pkg_Answer> {
            BidirectionalCall(failure: Pkg_OracleMethods.talk.unimplemented)
          }

          internal nonisolated(nonsending) func `default`(
            _ request: Pkg_Ask
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await `default`(request, options: CallOptions())
          }

          internal nonisolated(nonsending) func `default`(
            _ request: Pkg_Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            throw Pkg_OracleMethods.`default`.unimplemented
          }
        }

        /// Calls `pkg.Oracle`.
        internal nonisolated struct Pkg_OracleClient: Pkg_OracleClientProtocol {
          internal let channel: Channel

          internal init(_ channel: Channel) {
            self.channel = channel
          }

          internal nonisolated(nonsending) func get(
            _ request: Pkg_Ask, options: CallOptions = CallOptions()
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await channel.unary(Pkg_OracleMethods.get, request, options: options)
          }

          internal func watch(
            _ request: Pkg_Ask, options: CallOptions = CallOptions()
          ) -> ResponseStream<Pkg_Answer> {
            channel.serverStreaming(Pkg_OracleMethods.watch, request, options: options)
          }

          internal nonisolated(nonsending) func record(
            options: CallOptions = CallOptions(),
            _ body: nonisolated(nonsending) (RequestWriter<Pkg_Ask>) async throws -> Void
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await channel.clientStreaming(Pkg_OracleMethods.record, options: options, body)
          }

          internal func talk(
            options: CallOptions = CallOptions()
          ) -> BidirectionalCall<Pkg_Ask, Pkg_Answer> {
            channel.bidirectional(Pkg_OracleMethods.talk, options: options)
          }

          internal nonisolated(nonsending) func `default`(
            _ request: Pkg_Ask, options: CallOptions = CallOptions()
          ) async throws(CallError) -> CallResponse<Pkg_Answer> {
            try await channel.unary(Pkg_OracleMethods.`default`, request, options: options)
          }
        }


        """)
    #expect(
      Self.response(file, others: [other], parameter: "clients=false").file.first?.content?
        .contains("OracleClient") == false)
  }

  @Test func callsNameTheResourcesOfTheirTokens() throws {
    let rule = MethodExtensions(
      routing: RoutingRuleMessage(routingParameters: [RoutingParameter(field: "name")]))
    let options = try MethodOptions(serializedBytes: rule.serializedBytes())
    let file = FileDescriptorProto(
      name: "c.proto",
      messageType: [DescriptorProto(name: "Ask", field: [Self.field("name", 1, .string)])],
      service: [
        ServiceDescriptorProto(
          name: "Oracle",
          method: [
            MethodDescriptorProto(
              name: "Get", inputType: ".Ask", outputType: ".Ask", options: options),
            MethodDescriptorProto(
              name: "Count", inputType: ".google.protobuf.Empty", outputType: ".Ask"),
          ])
      ], syntax: "proto3")
    let empty = FileDescriptorProto(
      name: "google/protobuf/empty.proto", package: "google.protobuf",
      messageType: [DescriptorProto(name: "Empty")], syntax: "proto3")
    #expect(
      Self.response(file, others: [empty], parameter: "calls=true").file.first?.content == """
        // Generated by protoc-gen-tripwire from c.proto. Do not edit.
        // swift-format-ignore-file

        import WireGRPCClient
        import WireProtobuf

        /// The methods of `Oracle`, which a test can implement in place of ``Oracle``.
        internal nonisolated protocol OracleProtocol: Sendable {
          nonisolated(nonsending) func get(
            _ request: Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Ask>

          nonisolated(nonsending) func count(
            _ request: Empty, options: CallOptions
          ) async throws(CallError) -> CallResponse<Ask>
        }

        nonisolated extension OracleProtocol {
          internal nonisolated(nonsending) func get(
            _ request: Ask
          ) async throws(CallError) -> CallResponse<Ask> {
            try await get(request, options: CallOptions())
          }

          internal nonisolated(nonsending) func get(
            _ request: Ask, options: CallOptions
          ) async throws(CallError) -> CallResponse<Ask> {
            throw OracleMethods.get.unimplemented
          }

          internal nonisolated(nonsending) func count(
            _ request: Empty
          ) async throws(CallError) -> CallResponse<Ask> {
            try await count(request, options: CallOptions())
          }

          internal nonisolated(nonsending) func count(
            _ request: Empty, options: CallOptions
          ) async throws(CallError) -> CallResponse<Ask> {
            throw OracleMethods.count.unimplemented
          }
        }

        extension Oracle: OracleProtocol {
          internal nonisolated(nonsending) func get(
            _ request: Ask, options: CallOptions = CallOptions()
          ) async throws(CallError) -> CallResponse<Ask> {
            try await client.call(OracleMethods.get, request, options: options)
          }

          internal nonisolated(nonsending) func count(
            _ request: Empty, options: CallOptions = CallOptions()
          ) async throws(CallError) -> CallResponse<Ask> {
            try await client.call(OracleMethods.count, request, options: options)
          }

          /// All methods of the service.
          package static let methods: [FleetMethod] = [
            FleetMethod(OracleMethods.get),
            FleetMethod(OracleMethods.count),
          ]
        }

        extension Ask: AuthorizedRequest {
          package var resourceName: String { name }
        }

        extension Empty: AuthorizedRequest {
          package var resourceName: String { "" }
        }


        """)
  }

  @Test func clientNamesDoNotCollideWithMessages() throws {
    let file = FileDescriptorProto(
      name: "c.proto",
      messageType: [DescriptorProto(name: "OracleClient"), DescriptorProto(name: "Channel")],
      service: [
        ServiceDescriptorProto(
          name: "Oracle",
          method: [
            MethodDescriptorProto(
              name: "Get", inputType: ".Channel", outputType: ".OracleClient")
          ])
      ], syntax: "proto3")
    let text = try #require(Self.response(file).file.first?.content)
    #expect(text.contains("internal nonisolated struct OracleClient: Hashable"))
    #expect(text.contains("internal nonisolated struct ChannelMessage: Hashable"))
    #expect(text.contains("internal nonisolated struct OracleClientService: OracleClientProtocol"))
    #expect(text.contains("_ request: ChannelMessage, options"))
  }

  @Test func errorsAreInTheResponse() {
    let file = FileDescriptorProto(
      name: "x.proto",
      messageType: [
        DescriptorProto(name: "X", field: [Self.field("g", 1, .group, typeName: ".X.G")])
      ])
    #expect(Self.response(file).error == "x.proto: field g is a group, which is not supported")
    #expect(Self.response(FileDescriptorProto(name: "x.proto"), parameter: "nope").error != nil)
    #expect(
      Self.response(FileDescriptorProto(name: "x.proto"), parameter: "service_config=c.json").error
        == "c.json: no such file")
  }

  @Test func editionsAreRejected() {
    let file = FileDescriptorProto(name: "e.proto", syntax: "editions")
    let response = Self.response(file)
    #expect(
      response.error
        == "e.proto: editions are not supported; replace the edition with syntax = \"proto3\"")
    #expect(response.file.isEmpty)
    // Without these protoc reports an error of its own.
    #expect(response.supportedFeatures == 3)
    #expect(
      response.unknownFields.fields.map(\.value) == [.varint(998), .varint(UInt64(Int32.max))])
    // No code is generated for a file that is only imported.
    let user = FileDescriptorProto(name: "u.proto", dependency: ["e.proto"], syntax: "proto3")
    #expect(Self.response(user, others: [file]).error == nil)
  }

  /// Generates a.proto, with shop.Item and the service shop.Sale, and b.proto, with `message`.
  static func withPrefix(_ parameter: String, _ message: String) -> CodeGeneratorResponse {
    let sale = ServiceDescriptorProto(
      name: "Sale",
      method: [
        MethodDescriptorProto(name: "Sell", inputType: ".shop.Item", outputType: ".other.Far")
      ])
    let request = CodeGeneratorRequest(
      fileToGenerate: ["a.proto", "b.proto"], parameter: parameter,
      protoFile: [
        FileDescriptorProto(
          name: "far.proto", package: "other", messageType: [DescriptorProto(name: "Far")]),
        FileDescriptorProto(
          name: "a.proto", package: "shop", dependency: ["far.proto"],
          messageType: [DescriptorProto(name: "Item")], service: [sale]),
        FileDescriptorProto(
          name: "b.proto", package: "mall", messageType: [DescriptorProto(name: message)]),
      ])
    return CodeGenerator.response(to: request) { _ throws(GenerationError) in [] }
  }

  @Test func prefixReplacesThePackage() throws {
    let response = Self.withPrefix("prefix=Acme", "Kind")
    #expect(response.error == nil)
    let texts = response.file.compactMap(\.content)
    try #require(texts.count == 2)
    #expect(texts[0].contains("struct AcmeItem: Hashable"))
    #expect(texts[0].contains("messageName: String { \"shop.Item\" }"))
    #expect(texts[0].contains("enum AcmeSaleMethods"))
    // far.proto is generated elsewhere, with the default prefix.
    #expect(texts[0].contains("MethodDescriptor<AcmeItem, Other_Far>"))
    #expect(texts[0].contains("static var acmeAProto: TypeRegistry"))
    #expect(texts[1].contains("struct AcmeKind: Hashable"))
    #expect(Self.withPrefix("prefix=", "Kind").file[0].content?.contains("struct Item:") == true)
  }

  @Test(arguments: [("Item", "AcmeItem"), ("SaleClient", "AcmeSaleClient")])
  func prefixThatCausesACollisionIsRejected(_ message: String, _ name: String) {
    #expect(
      Self.withPrefix("prefix=Acme", message).error
        == "prefix=Acme: a.proto and b.proto both have a type \(name);"
        + " generate them with different prefixes")
    #expect(Self.withPrefix("", message).error == nil)
  }

  @Test func registryDependsOnTheOptions() {
    let file = FileDescriptorProto(name: "x.proto", messageType: [DescriptorProto(name: "X")])
    func lines(_ parameter: String) -> [Substring] {
      let text = Self.response(file, parameter: parameter).file.first?.content ?? ""
      return text.split(separator: "\n").filter {
        $0.hasPrefix("  @") || $0.hasSuffix(" TypeRegistry {")
      }.map { $0.drop { $0 == " " } }
    }
    let `extension`: Substring = "nonisolated extension TypeRegistry {"
    #expect(lines("") == [`extension`, "internal static var xProto: TypeRegistry {"])
    #expect(
      lines("access=package") == [`extension`, "package static var xProto: TypeRegistry {"])
    #expect(
      lines("access=public") == [
        `extension`, "@_alwaysEmitIntoClient", "public static var xProto: TypeRegistry {",
      ])
    #expect(lines("registry=false").isEmpty)
    #expect(lines("access=public,runtime=self").isEmpty)
    let empty = FileDescriptorProto(name: "y.proto")
    #expect(Self.response(empty).file.first?.content?.contains("TypeRegistry") == false)
  }

  @Test func modulesOfImportedFilesAreImported() {
    var file = FileDescriptorProto(name: "x.proto")
    file.dependency = ["a/b/c.proto", "a/b/d.proto", "a/e.proto"]
    func imports(_ parameter: String) -> [Substring]? {
      Self.response(file, parameter: parameter).file.first?.content?.split(separator: "\n")
        .filter { $0.contains("import ") }
    }
    #expect(imports("") == ["import WireProtobuf"])
    #expect(
      imports("access=public,module=a/b:Letters,module=a/f:Unused")
        == ["public import Letters", "public import WireProtobuf"])
  }

  @Test func registriesHaveUniqueNames() {
    let request = CodeGeneratorRequest(
      fileToGenerate: ["a-b.proto", "a_b.proto"],
      protoFile: ["a-b.proto", "a_b.proto"].enumerated().map { index, name in
        FileDescriptorProto(name: name, messageType: [DescriptorProto(name: "M\(index)")])
      })
    let texts = CodeGenerator.response(to: request) { _ throws(GenerationError) in [] }
      .file.compactMap(\.content)
    #expect(texts.count == 2)
    #expect(texts.first?.contains("static var aBProto1:") == true)
    #expect(texts.last?.contains("static var aBProto2:") == true)
  }

  @Test func versionEqualsThePackages() {
    #expect(CodeGenerator.version == UserAgent.version)
  }

  @Test func outputIsDeterministic() {
    let file = FileDescriptorProto(name: "x.proto", messageType: [DescriptorProto(name: "X")])
    #expect(Self.response(file) == Self.response(file))
    #expect(Self.response(file).supportedFeatures == 1)
  }
}
