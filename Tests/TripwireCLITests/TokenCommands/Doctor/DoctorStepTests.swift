import Testing

@testable import CommandShell
@testable import TokenCommands

@Suite struct DoctorStepTests {
  @Test(arguments: [
    (0, "this machine and the server agree", true), (-1, "this machine and the server agree", true),
    (60, "this machine is 1 min ahead of the server", true),
    (-61, "this machine is 1 min 1 s behind the server", false),
  ])
  func clocksMayDifferByAMinute(ahead: Int64, message: String, isOK: Bool) {
    let step = DoctorSteps.clockStep(ahead: ahead, nil)
    #expect(step.message == message)
    #expect(step.outcome == (isOK ? .ok : .failed))
    #expect(step.exitCode == (isOK ? .success : .localFailure))
  }

  @Test func textHasTheTimeAndTheHint() {
    let report = ErrorReport(local: "no \u{1b}[31m", hint: "do this")
    let step = DoctorStep.failed("tcp", report, .milliseconds(2))
    #expect(
      step.text == """
        failed   tcp      no \\u{1b}[31m (2.0 ms)
                          hint: do this

        """)
    #expect(
      step.json == #"{"name":"tcp","outcome":"failed","message":"no \u001b[31m","milliseconds":2,"#
        + #""hint":"do this"}"#)
  }

  @Test func failureIsNotReportedAsAWarning() {
    var step = DoctorStep.failed("tls", ErrorReport(local: "no"))
    step.warn("old", hint: "renew")
    #expect(step.outcome == .failed && step.message == "no" && step.hint == nil)
  }
}
