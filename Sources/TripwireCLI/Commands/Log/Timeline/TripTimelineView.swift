import Recording
import RecordingAnalysis
import Tripwire
import WireProtobuf

/// The history of a trip, from all calls that are about it.
final class TripTimelineView: LogView {
  private let wanted: String
  private let interval: LogInterval
  private let isJSON: Bool
  private let formatter: TripFormatter
  private let timeline: TripTimeline
  private var days: DayHeadings
  private let output: LogOutput
  private var isEmpty = true
  private let console: Console

  /// - Parameters:
  ///   - wanted: the trip's whole name, or its ID.
  ///   - interval: events outside of it are not shown.
  ///   - isOfServer: whether the calls were logged by Fleet Engine.
  init(
    _ types: MessageTypes, of wanted: String, in interval: LogInterval,
    isOfServer: Bool, isJSON: Bool, _ console: Console
  ) {
    self.wanted = wanted
    self.interval = interval
    self.isJSON = isJSON
    self.console = console
    timeline = TripTimeline(types, of: wanted, in: interval, isOfServer: isOfServer)
    formatter = TripFormatter(clock: console.clock())
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    for item in timeline.add(entry) { try write(item) }
  }

  func pause() throws(ErrorReport) { try output.flush() }

  func end(calls: Int) throws(ErrorReport) {
    guard !timeline.trips.isEmpty else {
      throw ErrorReport(
        local: "--trip \(shortened(wanted)): not in the recording, which contains"
          + " \(nameList(timeline.otherTrips, of: "trips"))",
        hint: timeline.otherTrips.isEmpty
          ? "pass a recording with calls of GetTrip" : "pass a trip of the recording with --trip")
    }
    for item in timeline.end() { try write(item) }
    try output.flush()
    if interval.isGiven, isEmpty { console.warn("the trip has no events in the selected time") }
  }

  private func write(_ item: TripTimeline.Item) throws(ErrorReport) {
    guard !isJSON else {
      isEmpty = false
      return try output.write(json: json(item) + "\n")
    }
    guard let text = item.event.text(formatter, days, inLineOf: item.time) else { return }
    isEmpty = false
    if let day = days.line(for: item.time) { try output.write(line: day) }
    let number = item.call.map { "call \($0)" } ?? ""
    // If several trips have this ID, or both sides recorded it, each line names the trip.
    let trip = item.trip.name + (item.trip.isOfServer ? " (server)" : "")
    let label = timeline.trips.count > 1 ? shortened(trip) + "  " : ""
    let start = days.time(item.time) + "  " + padded(number, to: 10)
    try output.write(start, label + text)
  }

  private func json(_ item: TripTimeline.Item) -> String {
    var object = JSONObject()
    object.add("time", item.event.start(or: item.time)?.jsonText)
    object.add("name", quoted(item.trip.name))
    object.add("call", item.call.map { String($0) })
    if item.trip.isOfServer { object.add("logger", "\"server\"") }
    item.event.addMembers(to: &object)
    return object.text
  }
}
