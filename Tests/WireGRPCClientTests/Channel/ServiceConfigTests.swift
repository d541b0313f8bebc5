import Testing

@testable import WireGRPC
@testable import WireGRPCClient

@Suite struct ServiceConfigTests {
  private static let json = """
    {"loadBalancingConfig": [{"pick_first": {}}],
     "methodConfig": [
      {"name": [{"service": "a.S", "method": "M"}, {"service": "a.T"}], "timeout": "1.5s",
       "waitForReady": true, "maxRequestMessageBytes": "100", "maxResponseMessageBytes": 200,
       "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s",
         "backoffMultiplier": 1.3, "retryableStatusCodes": ["UNAVAILABLE", 13]}},
      {"name": [{}], "timeout": "60s", "retryPolicy": null}],
     "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}
    """

  private static let policy = RetryPolicy(
    maxAttempts: 3, initialBackoff: .milliseconds(100), maxBackoff: .seconds(1),
    backoffMultiplier: 1.3, retryableStatusCodes: [.unavailable, .internal])

  @Test func parsesTheJSONForm() throws {
    let config = try ServiceConfig(json: Self.json)
    #expect(config.retryThrottling == RetryThrottling(maxTokens: 10, tokenRatio: 0.1))
    #expect(
      config[service: "a.S", method: "M"]
        == ServiceConfig.MethodConfig(
          timeout: .seconds(1.5), waitForReady: true, maxSendMessageSize: 100,
          maxReceiveMessageSize: 200, retryPolicy: Self.policy))
  }

  @Test func mostSpecificNameCounts() throws {
    let config = try ServiceConfig(json: Self.json)
    #expect(config[service: "a.T", method: "any"]?.timeout == .seconds(1.5))
    #expect(config[service: "a.S", method: "other"]?.timeout == .seconds(60))
    #expect(config[service: "else", method: "M"]?.retryPolicy == nil)
    #expect(ServiceConfig()[service: "a.S", method: "M"] == nil)
  }

  @Test(arguments: [
    ("{", "1:2: Struct: truncated"),
    (#"{"methodConfig": {}}"#, "methodConfig: must be a list"),
    (#"{"methodConfig": [5]}"#, "methodConfig[0]: must be an object"),
    (#"{"methodConfig": [null]}"#, "methodConfig[0]: must be an object"),
    (#"{"methodConfig": [{"name": ["a.S"]}]}"#, "methodConfig[0].name[0]: must be an object"),
    (
      #"{"methodConfig": [{"name": [{"service": 1}]}]}"#,
      "methodConfig[0].name[0].service: must be a string"
    ),
    (
      #"{"methodConfig": [{"waitForReady": 1}]}"#,
      "methodConfig[0].waitForReady: must be true or false"
    ),
    (
      #"{"methodConfig": [{"timeout": "315576000001s"}]}"#,
      #"methodConfig[0].timeout: must be a duration in seconds with the suffix s, such as "1.5s""#
    ),
    (#"{"methodConfig": [{"retryPolicy": 3}]}"#, "methodConfig[0].retryPolicy: must be an object"),
    (#"{"retryThrottling": []}"#, "retryThrottling: must be an object"),
    (#"{"retryThrottling": {"maxTokens": 1}}"#, "retryThrottling: tokenRatio is missing"),
    (
      #"{"retryThrottling": {"maxTokens": 1, "tokenRatio": 0.0009}}"#,
      "retryThrottling.tokenRatio: must be 0.001 or more"
    ),
    (
      #"{"methodConfig": [{"name": [{"method": "M"}]}]}"#,
      "methodConfig[0].name[0]: service is missing"
    ),
    (
      #"{"methodConfig": [{"name": [{"service": "a.Service/Method"}]}]}"#,
      #"methodConfig[0].name[0]: service and method names must not contain a slash: "a.Service/Method""#
    ),
    (
      #"{"methodConfig": [{"name": [{"service": "a.Service", "method": "/Method"}]}]}"#,
      #"methodConfig[0].name[0]: service and method names must not contain a slash: "/Method""#
    ),
    (
      #"{"methodConfig": [{"name": [{}, {}]}]}"#, "methodConfig[0].name[1]: duplicate entry"
    ),
    (
      #"{"methodConfig": [{"timeout": "-1s"}]}"#, "methodConfig[0].timeout: must not be negative"
    ),
    (
      #"{"methodConfig": [{"timeout": 15}]}"#, "methodConfig[0].timeout: must be a string"
    ),
    (
      #"{"methodConfig": [{"timeout": "15"}]}"#,
      #"methodConfig[0].timeout: must be a duration in seconds with the suffix s, such as "1.5s""#
    ),
    (
      #"{"methodConfig": [{"maxRequestMessageBytes": -1}]}"#,
      "methodConfig[0].maxRequestMessageBytes: must be a whole number from 0 to 4294967295"
    ),
    (
      #"{"methodConfig": [{"retryPolicy": {}}]}"#,
      "methodConfig[0].retryPolicy: retryableStatusCodes is missing"
    ),
    (
      #"{"retryThrottling": {"maxTokens": 1001, "tokenRatio": 1}}"#,
      "retryThrottling.maxTokens: must be a whole number from 1 to 1000"
    ),
    (
      #"{"retryThrottling": {"maxTokens": 1, "tokenRatio": 0}}"#,
      "retryThrottling.tokenRatio: must be a number above 0"
    ),
  ])
  func reportsInvalidConfigs(_ json: String, _ description: String) {
    let error = #expect(throws: ServiceConfigError.self) { try ServiceConfig(json: json) }
    #expect(error?.description == description)
  }

  @Test(arguments: [
    (#""maxAttempts": 1"#, "maxAttempts: must be a whole number from 2 to 4294967295"),
    (#""maxAttempts": 2.5"#, "maxAttempts: must be a whole number from 2 to 4294967295"),
    (#""initialBackoff": "0s""#, "initialBackoff: must be above 0"),
    (#""maxBackoff": "-1s""#, "maxBackoff: must not be negative"),
    (#""backoffMultiplier": 0"#, "backoffMultiplier: must be a number above 0"),
    (#""retryableStatusCodes": []"#, "retryableStatusCodes: is empty"),
    (
      #""retryableStatusCodes": [14, "OK"]"#,
      #"retryableStatusCodes[1]: must be the status code of an error, such as "UNAVAILABLE""#
    ),
    (
      #""retryableStatusCodes": [0]"#,
      #"retryableStatusCodes[0]: must be the status code of an error, such as "UNAVAILABLE""#
    ),
    (
      #""retryableStatusCodes": [17]"#,
      #"retryableStatusCodes[0]: must be the status code of an error, such as "UNAVAILABLE""#
    ),
    (
      #""retryableStatusCodes": ["NONE"]"#,
      #"retryableStatusCodes[0]: must be the status code of an error, such as "UNAVAILABLE""#
    ),
  ])
  func reportsInvalidPolicies(_ field: String, _ description: String) {
    let name = field.split(separator: ":").first.map(String.init) ?? ""
    let fields = [
      #""maxAttempts": 3"#, #""initialBackoff": "1s""#, #""maxBackoff": "1s""#,
      #""backoffMultiplier": 1"#, #""retryableStatusCodes": [14]"#,
    ].map { $0.hasPrefix(name) ? field : $0 }.joined(separator: ",")
    let error = #expect(throws: ServiceConfigError.self) {
      try ServiceConfig(json: #"{"methodConfig": [{"retryPolicy": {\#(fields)}}]}"#)
    }
    #expect(error?.description == "methodConfig[0].retryPolicy." + description)
  }

  @Test func refusesRetriesWithHedging() throws {
    let retry = #"""
      "retryPolicy": {"maxAttempts": 3, "initialBackoff": ".1s", "maxBackoff": "1s",
        "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]}
      """#
    let config = try ServiceConfig(
      json: #"{"methodConfig": [{"name": [{}], \#(retry), "hedgingPolicy": null}]}"#)
    #expect(config[service: "", method: ""]?.retryPolicy?.initialBackoff == .milliseconds(100))
    let error = #expect(throws: ServiceConfigError.self) {
      try ServiceConfig(json: #"{"methodConfig": [{\#(retry), "hedgingPolicy": {}}]}"#)
    }
    #expect(
      error?.description == "methodConfig[0]: has both a retryPolicy and a hedgingPolicy")
  }
}
