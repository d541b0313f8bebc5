import Replay

/// How a command was told to play a recording or a script.
struct PlaybackOptions: Sendable {
  enum Speed: Sendable {
    /// Step by step: each request gets the next answer, at once.
    case max
    /// By the recorded times, so many times as fast.
    case times(Int)
  }

  /// Nil when nothing was said.
  var speed: Speed?
  var loops = false

  /// How it is served.
  var configuration: ReplayConfiguration {
    var configuration = ReplayConfiguration()
    if case .times(let times) = speed { configuration.speed = times }
    configuration.loops = loops
    return configuration
  }

  static func options(_ group: OptionGroup) -> [Option<PlaybackOptions>] {
    [
      .value(
        "speed", "1|10|max", group,
        "replay with the recorded timing\n1 returns the response that was recorded at the same time after"
          + " the first request, with its latency; 10 is ten times as fast. max (default) returns the next"
          + " recorded response at once. A script has only its delays, which max keeps.",
        parse: Parse.speed, store: { $0.speed = $1 }),
      .flag(
        "loop", group, "restart at the end\nDefault: repeat the last response.",
        store: { $0.loops = true }),
    ]
  }
}

extension Parse {
  /// How many times as fast as recorded, up to 1000.
  fileprivate static func speed(_ text: String) throws(BadValue) -> PlaybackOptions.Speed {
    if text == "max" { return .max }
    guard let speed = Int(text), (1...1000).contains(speed), text.first != "+" else {
      throw BadValue("expected max or a number from 1 to 1000")
    }
    return .times(speed)
  }
}
