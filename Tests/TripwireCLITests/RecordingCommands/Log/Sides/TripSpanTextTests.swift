import Testing

@testable import RecordingAnalysis
@testable import RecordingCommands

@Suite struct TripSpanTextTests {
  @Test func theLogOfTheServerAloneDoesNotShowWhyNobodyAsked() {
    let span = TripSpan(start: 0, end: 60, state: .unwatched)
    var evidence = TripEvidence()
    let text = { span.text(evidence) { _ in "" } }
    #expect(text() == "no call of the client arrived; pass its recording to see why")
    evidence.hasClient = true
    #expect(text() == "no calls of the client")
  }
}
