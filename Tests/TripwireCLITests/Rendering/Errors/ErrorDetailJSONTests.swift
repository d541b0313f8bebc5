import Testing

@testable import Tripwire
@testable import TripwireCLI

@Suite struct ErrorDetailJSONTests {
  @Test func typeIsBesideTheFields() {
    var retry = RetryInfo()
    retry.retryDelay = WireDuration()
    retry.retryDelay?.seconds = 2
    #expect(
      ErrorDetail.retryInfo(retry).json(.builtIn)
        == #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}"#)
    #expect(
      ErrorDetail.help(Help()).json(.builtIn) == #"{"@type":"type.googleapis.com/google.rpc.Help"}"#
    )
  }

  @Test func unknownTypesAreBytes() {
    var any = AnyMessage()
    any.typeUrl = "type.googleapis.com/x.\"Y\""
    any.value = [0, 1, 255, 7]
    #expect(
      ErrorDetail.other(any).json(.builtIn)
        == #"{"@type":"type.googleapis.com/x.\"Y\"","value":"AAH/Bw=="}"#)
  }

  @Test func messagesWithoutAJSONFormAreBytes() {
    var retry = RetryInfo()
    retry.retryDelay = WireDuration()
    retry.retryDelay?.seconds = .max
    let json = ErrorDetail.retryInfo(retry).json(.builtIn)
    #expect(
      json.hasPrefix(#"{"@type":"type.googleapis.com/google.rpc.RetryInfo","value":""#), "\(json)")
  }
}
