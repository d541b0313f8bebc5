import Testing

@testable import CodeGen

@Suite struct OptionsTests {
  @Test func all() throws {
    let options = try Options(
      "access=public,service_config=a/b.json,docs=false,clients=false,runtime=self")
    #expect(options.access == .public)
    #expect(options.serviceConfigPath == "a/b.json")
    #expect(!options.docs)
    #expect(!options.clients)
    #expect(options.isRuntime)
    #expect(try Options("") == Options())
  }

  @Test(arguments: ["access=open", "access", "docs=no", "clients=", "nope=1", "service_config="])
  func faults(_ parameter: String) {
    #expect(throws: GenerationError.self) { try Options(parameter) }
  }
}
