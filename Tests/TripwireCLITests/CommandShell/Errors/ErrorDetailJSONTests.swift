import Testing

@testable import CommandShell
@testable import Tripwire

@Suite struct ErrorDetailJSONTests {
  @Test func typeIsBesideTheFields() {
    let retry = RetryInfo(retryDelay: WireDuration(seconds: 2))
    #expect(
      ErrorDetail.retryInfo(retry).json(.builtIn)
        == #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}"#)
    #expect(
      ErrorDetail.help(Help()).json(.builtIn) == #"{"@type":"type.googleapis.com/google.rpc.Help"}"#
    )
  }

  @Test func unknownTypesAreBytes() {
    let any = AnyMessage(typeUrl: "type.googleapis.com/x.\"Y\"", value: [0, 1, 255, 7])
    #expect(
      ErrorDetail.other(any).json(.builtIn)
        == #"{"@type":"type.googleapis.com/x.\"Y\"","value":"AAH/Bw=="}"#)
  }

  @Test func messagesWithoutAJSONFormAreBytes() {
    let retry = RetryInfo(retryDelay: WireDuration(seconds: .max))
    let json = ErrorDetail.retryInfo(retry).json(.builtIn)
    #expect(
      json.hasPrefix(#"{"@type":"type.googleapis.com/google.rpc.RetryInfo","value":""#), "\(json)")
  }
}
