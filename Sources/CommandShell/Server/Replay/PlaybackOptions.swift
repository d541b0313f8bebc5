package import CommandLine
package import Replay

package struct PlaybackOptions: Sendable {
  enum Speed: Sendable {
    /// Each request gets the next response at once.
    case max
    /// The recorded times, this many times as fast.
    case times(Int)
  }

  /// Nil if the option was not given.
  var speed: Speed?
  var loops = false

  package init() {}

  /// The configuration of the server.
  package var configuration: ReplayConfiguration {
    var configuration = ReplayConfiguration()
    if case .times(let times) = speed { configuration.speed = times }
    configuration.loops = loops
    return configuration
  }

  package static func options(_ group: OptionGroup) -> [Option<PlaybackOptions>] {
    [
      .value(
        "speed", "N|max", group,
        "set the speed of the replay\nN, from 1 to 1000, reproduces the recorded timing N times as fast."
          + " The first request sets the clock of the replay to the start of the recording. The clock then runs"
          + " N times as fast as real time. Each request gets the latest response that was recorded before the"
          + " time of this clock. Its latency is the recorded latency divided by N. max (default)"
          + " returns the next recorded response at once."
          + " A script has delays instead of recorded times: N shortens them, and max does not.",
        parse: Parse.speed, store: { $0.speed = $1 }),
      .flag(
        "loop", group, "restart at the end\nDefault: repeat the last response.",
        store: { $0.loops = true }),
    ]
  }
}

extension Parse {
  /// Parses a multiple of the recorded speed, 1 to 1000, or `max`.
  fileprivate static func speed(_ text: String) throws(InvalidValue) -> PlaybackOptions.Speed {
    if text == "max" { return .max }
    guard let speed = Int(text), (1...1000).contains(speed), text.first != "+" else {
      throw InvalidValue("expected max or a whole number from 1 to 1000")
    }
    return .times(speed)
  }
}
