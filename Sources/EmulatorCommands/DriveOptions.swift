package import CommandLine
import CommandResources
package import CommandShell
import FleetEmulator
import Tripwire
import WireSystem

package struct DriveOptions: ServerCommandOptions {
  package var server = ServerOptions()
  var provider = ProviderOption()
  /// The path of the route; `-` for positions on standard input.
  var along: String?
  var drive = Drive.Options()
  /// Nil selects the format by the terminal.
  var printsJSON: Bool?

  package init() {}

  package var isLongRunning: Bool { true }

  package var warnings: [String] {
    let host = server.connection.destination.split(separator: ":").first ?? ""
    return server.tls.warnings
      + (drive.interval < .seconds(5) && host.hasSuffix(".googleapis.com")
        ? ["--interval: Google expects a location every 5 to 60 seconds"] : [])
  }

  package static let all: [Option<DriveOptions>] =
    [
      .value(
        "along", "FILE", .common,
        "drive along this route; - reads positions from stdin\nFILE is GPX, GeoJSON with a"
          + " LineString, an encoded polyline, or a recording of calls with the locations of a vehicle. For -, each"
          + " line is a position: LAT,LNG or {\"lat\":…,\"lng\":…}. The newest one is sent.",
        parse: Parse.text, store: { $0.along = $1 }),
      .value(
        "speed", "MPS", .common,
        "drive at this speed in meters per second\nFrom 0.1 to 1000. Default: the speed of the track or the"
          + " recording if all points have times, otherwise 8.",
        parse: Parse.meters(0.1...1_000), store: { $0.drive.speed = $1 }),
      .value(
        "interval", "TIME", .common,
        "send a location every TIME, from 1s to 60s\nDefault: 10s. Google expects 5s to 60s.",
        parse: Parse.boundedDuration(
          .seconds(1) ... .seconds(60), "expected a duration from 1s to 60s"),
        store: { $0.drive.interval = $1 }),
      .value(
        "stop", "METERS:TIME", .common,
        "stop for TIME at METERS from the start (repeatable)", parse: Parse.stop,
        store: { $0.drive.stops.append($1) }),
      .value(
        "noise", "METERS", .common,
        "displace locations by up to METERS, at random\nThe same vehicle has the same displacements each time.",
        parse: Parse.meters(0.1...10_000), store: { $0.drive.noise = $1 }),
      .value(
        "gps-loss", "FROM..TO", .common,
        "send nothing in this time, such as 30s..2m (repeatable)\nThe times are from the start.",
        parse: Parse.outage, store: { $0.drive.outages.append($1) }),
      .value(
        "output", short: "o", "FORMAT", .common,
        "print each sent location as text or json\nDefault: text on a terminal, otherwise json. json is one"
          + " object per line with the known ones of time, name, location, heading, speed, drivenMeters and"
          + " remainingMeters.",
        choice: Choice([("text", false), ("json", true), ("ndjson", true)]),
        store: { $0.printsJSON = $1 }),
    ] + ProviderOption.all.map { $0.described(provider).inside(\.provider) }
    // The next location replaces one that was not sent, and a recording takes no locations.
    + ServerOptions.all.filter {
      !(["retries"] + ConnectionOptions.namesOfReplay).contains($0.long)
    }.map { option in
      (option.long == "timeout" ? option.described(timeout) : option).inside(\.server)
    }

  private static let provider =
    "complete NAME with this provider, a Cloud project\nWith --provider p, NAME may be vehicles/v1 for"
    + " providers/p/vehicles/v1. A full name keeps its own provider."

  private static let timeout = "wait up to TIME for each response, such as 500ms\nDefault: 15s."
}

extension Parse {
  fileprivate static func meters(
    _ range: ClosedRange<Double>
  ) -> @Sendable (String) throws(InvalidValue) -> Double {
    { (text) throws(InvalidValue) in
      guard let number = decimal(text[...]), range.contains(number) else {
        throw InvalidValue(
          "expected a number from \(Units.trimmed("\(range.lowerBound)")) to \(Units.trimmed("\(range.upperBound)"))"
        )
      }
      return number
    }
  }

  fileprivate static func stop(_ text: String) throws(InvalidValue) -> Drive.Stop {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let meters = decimal(parts[0]), meters >= 0 else {
      throw InvalidValue("expected METERS:TIME, such as 500:30s")
    }
    return Drive.Stop(meters: meters, duration: try duration(String(parts[1])))
  }

  fileprivate static func outage(_ text: String) throws(InvalidValue) -> Range<Duration> {
    let parts = text.split(separator: ".", maxSplits: .max, omittingEmptySubsequences: false)
    let wanted = InvalidValue("expected FROM..TO, such as 30s..2m")
    guard let dots = parts.firstIndex(of: ""), dots > 0, dots + 1 < parts.count else {
      throw wanted
    }
    let from = parts[..<dots].joined(separator: ".")
    let start = from == "0" || from == "0s" ? Duration.zero : try duration(from)
    let end = try duration(parts[(dots + 1)...].joined(separator: "."))
    guard start < end else {
      throw InvalidValue("expected FROM before TO, such as 30s..2m")
    }
    return start..<end
  }
}
