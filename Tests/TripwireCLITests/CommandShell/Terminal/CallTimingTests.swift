import Testing

@testable import CommandShell
@testable import Tripwire

@Suite struct CallTimingTests {
  @Test func stepsOfSeveralConnectionsAreAdded() {
    let timing = CallTiming(
      path: "/pkg.Log/Write", code: .unavailable, isReflection: false,
      steps: [
        ("connect", .microseconds(1_500)), ("TLS", .milliseconds(2)), ("connect", .milliseconds(1)),
        ("response", .nanoseconds(400)),
      ], total: .seconds(2))
    #expect(
      timing.jsonLine == """
        {"timing":{"method":"pkg.Log/Write","code":"UNAVAILABLE","connectMs":2.500,"tlsMs":2.000,\
        "firstByteMs":0.000,"totalMs":2000.000}}

        """)
  }
}
