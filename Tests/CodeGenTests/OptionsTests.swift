import Testing

@testable import CodeGen

@Suite struct OptionsTests {
  @Test func parsesAllOptions() throws {
    let options = try Options(
      "access=public,service_config=a/b.json,docs=false,clients=false,runtime=self,prefix=Acme,"
        + "registry=false,presence=true,calls=true,module=a/b:C,module=d:E")
    #expect(options.access == .public)
    #expect(options.serviceConfigPath == "a/b.json")
    #expect(!options.docs)
    #expect(!options.clients)
    #expect(options.isRuntime)
    #expect(options.prefix == "Acme")
    #expect(!options.registry)
    #expect(options.presence)
    #expect(options.calls)
    #expect(options.modules == ["a/b": "C", "d": "E"])
    #expect(try Options("prefix=").prefix == "")
    #expect(try Options("") == Options())
  }

  @Test(arguments: [
    ("access=open", "access=open: expected public, package or internal"),
    ("access", "access: expected public, package or internal"),
    ("docs=no", "docs=no: expected true or false"),
    ("calls=all", "calls=all: expected true or false"),
    ("clients=", "clients=: expected true or false"),
    ("runtime=", "runtime=: expected self or import"),
    ("prefix=1a", "prefix=1a: expected a Swift identifier, such as Acme, or nothing"),
    ("prefix=a.b", "prefix=a.b: expected a Swift identifier, such as Acme, or nothing"),
    ("module=a", "module=a: expected FOLDER:MODULE, such as acme/shop/v1:Shop"),
    ("module=a:1", "module=a:1: expected FOLDER:MODULE, such as acme/shop/v1:Shop"),
    ("presence=yes", "presence=yes: expected true or false"),
    ("registry=no", "registry=no: expected true or false"),
    ("service_config=", "service_config=: expected the path of a file"),
    ("docs=true,acess=public", "acess: unknown option; did you mean access?\(list)"),
    ("serviceconfig=a", "serviceconfig: unknown option; did you mean service_config?\(list)"),
    ("nope=1", "nope: unknown option\(list)"), ("=", ": unknown option\(list)"),
  ])
  func invalidOptionsAreReported(_ parameter: String, _ description: String) {
    let error = #expect(throws: GenerationError.self) { try Options(parameter) }
    #expect(error?.description == description)
  }

  static let list =
    "; expected one of access, calls, clients, docs, module, prefix, presence, registry, runtime, service_config"
}
