import CommandLine
import CommandShell
import FleetEmulator
import Testing
import Tripwire

@testable import EmulatorCommands

@Suite struct DriveCommandTests {
  private func place(_ line: String) throws(ErrorReport) -> LatLng? {
    try PositionInput.place(Array(line.utf8), 7)
  }

  @Test func positionsAreReadInBothForms() throws {
    let place = LatLng(latitude: 37.5, longitude: -122)
    #expect(try self.place("37.5,-122") == place)
    #expect(try self.place(" 37.5, -122\r") == place)
    #expect(try self.place("{\"lat\":37.5,\"lng\":-122,\"speed\":3}") == place)
    #expect(try self.place("  ") == nil)
  }

  @Test(arguments: [
    ("x", "--along: stdin:7: expected LAT,LNG in degrees"),
    ("91,0", "--along: stdin:7: expected LAT,LNG in degrees"),
    ("{\"lat\":1}", "--along: stdin:7: expected numbers in \"lat\" and \"lng\""),
    ("{\"lat\":1,\"lng\":181}", "--along: stdin:7: lat outside ±90 or lng outside ±180"),
    ("{\"lat\":1,", "--along: stdin:7: invalid JSON at column 10: truncated"),
  ])
  func invalidPositionsAreRefused(_ line: String, _ message: String) {
    let error = #expect(throws: ErrorReport.self) { try place(line) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    (["--along", "x"], "NAME is missing"),
    (["providers/p/vehicles/v"], "--along is missing"),
    (["providers/p/trips/t", "--along", "x"], "NAME: "),
    (["providers/p/vehicles/v", "b", "--along", "x"], "unexpected argument b"),
    (
      ["providers/p/vehicles/v", "--along", "x", "--interval", "61s"], "--interval 61s: expected a"
    ),
    (["providers/p/vehicles/v", "--along", "x", "--stop", "5"], "--stop 5: expected METERS:TIME"),
    (["providers/p/vehicles/v", "--along", "x", "--speed", "0"], "--speed 0: expected a number"),
    (
      ["providers/p/vehicles/v", "--along", "x", "--noise", "1e3"], "--noise 1e3: expected a number"
    ),
    (
      ["providers/p/vehicles/v", "--along", "x", "--gps-loss", "3s"], "--gps-loss 3s: expected FROM"
    ),
    (
      ["providers/p/vehicles/v", "--along", "x", "--gps-loss", "3s..2s"],
      "--gps-loss 3s..2s: expected FROM"
    ),
    (["providers/p/vehicles/v", "--along", "-", "--speed", "3"], "--along - cannot be used with"),
    (
      ["providers/p/vehicles/v", "--along", "-", "--token-file", "-"],
      "--along - cannot read stdin: the token is read from it"
    ),
  ])
  func wrongCommandLinesAreRefused(_ arguments: [String], _ message: String) async {
    let console = TestConsole()
    #expect(await driveCommand.run(arguments, console.console) == .usage)
    #expect(console.error.hasPrefix("error: \(message)"), "\(console.error)")
  }

  @Test(
    arguments: [
      (["--gps-loss", "0s..1.5m"], [.zero..<(.seconds(90))]),
      (["--gps-loss", "0..1s"], [.zero..<(.seconds(1))]),
      (
        ["--gps-loss", "0.5s..1s", "--gps-loss", "2s..3s"],
        [.seconds(0.5)..<(.seconds(1)), .seconds(2)..<(.seconds(3))]
      ),
    ] as [([String], [Range<Duration>])])
  func lossesOfGPSAreParsed(_ arguments: [String], _ outages: [Range<Duration>]) {
    let (line, options) = DriveOptions.parsed(arguments, takesServer: false) { _ in nil }
    #expect(line.error == nil)
    #expect(options.drive.outages == outages)
  }

  @Test func shortIntervalsAreForTests() {
    func warnings(_ arguments: String...) -> [String] {
      DriveOptions.parsed(["--interval", "1s"] + arguments, takesServer: false) { _ in nil }
        .1.warnings
    }
    #expect(warnings() == ["--interval: Google expects a location every 5 to 60 seconds"])
    #expect(warnings("--endpoint", "localhost:1").isEmpty)
    #expect(warnings("--interval", "5s").isEmpty)
  }
}
