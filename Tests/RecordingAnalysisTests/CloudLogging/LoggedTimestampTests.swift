import Recording
import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

/// The times of log entries, and of their fields.
@Suite struct LoggedTimestampTests {
  /// 2026-11-20T10:00:00.123Z in the forms of exports.
  private static let forms = [
    #""2026-11-20T10:00:00.123Z""#, #""2026-11-20T12:00:00.123+02:00""#,
    #""2026-11-20 10:00:00.123 UTC""#, #""2026-11-20 10:00:00.123""#,
    #""2026-11-20 10:00:00.123Z""#, #""2026-11-20t10:00:00.123z""#, #""2026-11-20T10:00:00.123""#,
    #""2026-11-20 10:00:00.123000+00""#, #""2026-11-20 12:00:00.123 +0200""#,
    #""2026-11-20 04:30:00.123-05:30""#, "1795168800.123", #""1795168800.123""#,
    "1.795168800123E9", "1795168800123", #""1795168800123000""#, "1795168800123000",
    "1795168800123000000", #"{"value":"2026-11-20T10:00:00.123Z"}"#,
    #"{"value":{"value":"2026-11-20 10:00:00.123"}}"#,
    #"{"seconds":"1795168800","nanos":123000000}"#, #"{"seconds":1795168800,"nanos":123000000}"#,
  ]
  private static let time = Timestamp(seconds: 1_795_168_800, nanos: 123_000_000)

  /// In each shape of the entry, and in each place.
  @Test(arguments: forms)
  func isThatOfACallAndOfItsFields(form: String) throws {
    let call = #"{"response":{"name":"providers/p/trips/t1","pickupTime":\#(form)}}"#
    for entry in [
      #"{"timestamp":\#(form),"jsonPayload":{"@type":"x.GetTripLog",\#(call.dropFirst())}"#,
      #"{"timestamp":\#(form),"jsonpayload_v1_gettriplog":\#(call)}"#,
      #"{"serverTime":\#(form),"getTrip":\#(call)}"#,
      #"{"@type":"x.GetTripLog","timestamp":\#(form),\#(call.dropFirst())"#,
      #"{"timestamp":null,"receiveTimestamp":\#(form),"getTrip":\#(call)}"#,
    ] {
      let log = try ExampleLog.read(entry)
      let entries = Array(log.entries)
      #expect(entries.map(\.timestamp) == [Self.time, Self.time, Self.time, Self.time])
      guard entries.count == 4, case .message(let message) = entries[2].payload else {
        Issue.record("\(entries)")
        continue
      }
      #expect(try Trip(serializedBytes: message.data).pickupTime == Self.time)
      #expect(log.skippedFields.count == 0)
    }
  }

  @Test(arguments: [
    "true", "0", "-1", "1e300", #""""#, #""yesterday""#, #""2026-11-20""#,
    #""2026-11-20 25:00:00""#,
    #""2026-11-20 10:00:00 CET""#, #""2026-11-20 10:00:00 +2""#, #""2026-11-20x10:00:00Z""#, "[]",
    "{}", #"{"seconds":"soon"}"#, #""٢٠٢٦-11-20 10:00:00""#,
  ])
  func isNilForAnotherForm(form: String) throws {
    #expect(Timestamp(logged: try Value(jsonString: form)) == nil)
  }
}
