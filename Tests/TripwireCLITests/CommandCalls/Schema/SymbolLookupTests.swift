import Testing

@testable import CommandCalls
@testable import CommandLine
@testable import CommandShell

/// The command in a hint finds the symbol that the failed command found.
@Suite struct SymbolLookupTests {
  private func fields(_ origin: Schema.Origin, _ server: ServerOptions = ServerOptions()) -> String
  {
    var files = SchemaOptions()
    if case .files(let paths, let option) = origin {
      if option == "--proto" {
        files.protos.files = paths
        files.protos.folders = ["types"]
      } else {
        files.protosets = paths
      }
    }
    return SymbolLookup(origin, files, server).fields(of: "a.B")
  }

  @Test func builtInSymbolsNeedNoOptions() {
    #expect(fields(.embedded) == "run 'tripwire describe a.B' to list its fields")
  }

  @Test func filesAreNamed() {
    #expect(
      fields(.files(["a.proto", "b.proto"], option: "--proto"))
        == "run 'tripwire describe a.B --proto a.proto --proto b.proto -I types' to list its fields"
    )
    #expect(
      fields(.files(["my types.pb"], option: "--protoset"))
        == "run 'tripwire describe a.B --protoset \"my types.pb\"' to list its fields")
  }

  @Test func serverIsNamed() {
    var server = ServerOptions()
    server.tls.isPlaintext = true
    #expect(
      fields(.reflection("h:1"), server)
        == "run 'tripwire describe a.B --endpoint h:1 --plaintext' to list its fields")
    server.tls.isPlaintext = false
    server.sources = ["cacert": .option]
    #expect(
      fields(.reflection("h:1"), server)
        == "run 'tripwire describe a.B' with the same connection options to list its fields")
  }
}
