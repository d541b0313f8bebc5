import Testing

@testable import CodeGen

@Suite struct ServiceConfigTests {
  static func config(_ json: String) throws -> ServiceConfig {
    try ServiceConfig(json: Array(json.utf8), path: "c.json")
  }

  @Test func configsApplyToMethodsAndServices() throws {
    let config = try Self.config(
      """
      {"methodConfig": [
        {"name": [{"service": "a.S", "method": "M"}, {"service": "a.T"}], "timeout": "1.5s",
         "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s",
           "backoffMultiplier": 1.3, "retryableStatusCodes": ["UNAVAILABLE", "DATA_LOSS"]}},
        {"name": [{"service": "a.S", "method": "N"}], "timeout": "60s"}]}
      """)
    let method = config.method("M", of: "a.S")
    #expect(method.timeout == ".seconds(1.5)")
    #expect(
      method.retryPolicy
        == MethodConfig.Retry(
          maxAttempts: 3, initialBackoff: ".seconds(0.1)", maxBackoff: ".seconds(1)",
          backoffMultiplier: 1.3, statusCodes: ["unavailable", "dataLoss"]))
    #expect(config.method("Any", of: "a.T") == method)
    #expect(config.method("N", of: "a.S").timeout == ".seconds(60)")
    #expect(config.method("N", of: "a.S").retryPolicy == nil)
    #expect(config.method("Other", of: "a.S") == MethodConfig())
  }

  @Test(arguments: [
    ("{", "c.json:1:2: Struct: truncated"),
    (
      #"{"methodConfig": [{"timeout": 15}]}"#,
      #"c.json: timeout: must be a duration in seconds with the suffix s, such as "15s""#
    ),
    (#"{"methodConfig": [{}, 5]}"#, "c.json: methodConfig[1]: must be an object"),
    (
      #"""
      {"methodConfig": [{"retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s",
        "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": ["OK"]}}]}
      """#,
      #"c.json: retryableStatusCodes: must be names of error codes, such as "UNAVAILABLE""#
    ),
    (
      #"{"methodConfig": [{"retryPolicy": {}}]}"#,
      "c.json: retryPolicy: requires a maxAttempts of 2 or more and a backoffMultiplier"
    ),
  ])
  func invalidConfigsAreReported(_ json: String, _ description: String) {
    #expect(throws: GenerationError(description)) { try Self.config(json) }
  }
}
