import RecordingAnalysis
import Tripwire

/// What `tripwire log` was told.
struct LogOptions: Sendable {
  var schema = SchemaOptions()
  var selection = CallCriteria()
  var isJSON = false
  var isFollowed = false
  var isSummary = false
  var call: Int?
  /// The name or the ID of a trip.
  var trip: String?
  /// The path of an anonymous copy.
  var copy: String?
  /// The path of the list of what stands for what in it.
  var mapping: String?

  static let all: [Option<LogOptions>] =
    [
      .flag(
        "json", .common,
        "an object a line for each entry: that of grpc.binarylog.v1.GrpcLogEntry, with messages"
          + " decoded and the number of the call; times are in UTC",
        store: { $0.isJSON = true }),
      .flag(
        "follow", short: "f", .common,
        "go on when more is written to FILE, also when it is moved away and begun anew, until Ctrl-C: the"
          + " list, --json, --trip",
        store: { $0.isFollowed = true }),
      .flag(
        "summary", .common,
        "a line for each method: how many calls, when the first and the last began, how long half of"
          + " them, 95 %, 99 % and all took at most, and how they ended; with --json an object a line",
        store: { $0.isSummary = true }),
      .value(
        "call", "N", .common, "one call whole, by its number in the list", parse: Parse.callNumber,
        store: { $0.call = $1 }),
      .value(
        "trip", "NAME", .common,
        "the story of a trip, by its whole name or its ID: status, vehicle, stops, ETA from a minute"
          + " on, routes, errors and how long they lasted, gaps between answers of three times the"
          + " usual, vehicles not heard of for 30s; with --since and --until only what is in that time; with"
          + " --json an object a line for each",
        parse: Parse.text, store: { $0.trip = $1 }),
      .value(
        "anonymize", "OUT", .common,
        "write a copy to the new file OUT that may be shown to others: Fleet Engine's calls, their ids"
          + " replaced and their places moved, the same way in all of it; what is not known to be"
          + " harmless is left out, and stderr says what. It keeps times and, to some metres, the"
          + " shapes of routes, which a map may know",
        parse: Parse.newFile, store: { $0.copy = $1 }),
      .value(
        "mapping", "FILE", .common,
        "write what stands for which id in the copy to the new file FILE, a JSON object a line: for"
          + " yourself",
        parse: Parse.newFile, store: { $0.mapping = $1 }),
    ] + CallCriteria.options.map { $0.inside(\.selection) }
    + SchemaOptions.all.map { $0.inside(\.schema) }

  /// What cannot be asked for at once.
  var contradiction: UsageError? {
    let views = [
      ("--call", call != nil), ("--trip", trip != nil), ("--summary", isSummary),
      ("--anonymize", copy != nil),
    ].filter(\.1).map(\.0)
    if views.count > 1 {
      return UsageError(
        message: "\(views[0]) or \(views[1]): which is it?",
        hint: trip == nil ? nil : "for \(views[1]) --resource chooses the calls of a trip")
    }
    if isFollowed, let view = views.first, view != "--trip" {
      return UsageError(message: "--follow: \(view) wants a recording that has an end")
    }
    if mapping != nil, copy == nil {
      return UsageError(message: "--mapping goes with --anonymize: it tells of the copy")
    }
    if copy != nil, isJSON || !schema.protosets.isEmpty {
      return UsageError(
        message: "--anonymize writes a recording: leave out --json and --protoset")
    }
    let isContrary = trip != nil ? selection.choosesCalls : call != nil && selection.isGiven
    if isContrary, let view = views.first {
      return UsageError(
        message: "\(view) says which calls: leave out what selects others, such as --errors")
    }
    return nil
  }

  func view(on console: Console) throws(ErrorReport) -> any LogView {
    let types = try MessageTypes(protosets: copy == nil ? schema.protosets : [])
    if let trip {
      let interval = selection.interval(console.clock())
      return TripTimelineView(types, of: trip, in: interval, isJSON: isJSON, console)
    }
    if let call, !isJSON { return CallDetail(types, of: call, console) }
    let calls = CallSelection(selection, console.clock())
    if copy != nil, calls.needsEnd {
      console.warn(
        "the copy lacks the calls between those chosen by how they ended: --trip will tell of errors"
          + " and times without an answer that were not so; --since, --until and --resource keep them"
      )
    }
    if isSummary { return CallSummary(types, calls, isJSON: isJSON, console) }
    let view: (any LogView)? =
      if let copy {
        AnonymousCopy(types, to: copy, mapping: mapping, console)
      } else if isJSON {
        EntryList(types, of: call, console)
      } else {
        nil
      }
    guard let view else { return CallList(types, calls, console) }
    return selection.isGiven ? SelectedCalls(calls, types, for: view, console) : view
  }
}

extension Parse {
  fileprivate static func newFile(_ text: String) throws(BadValue) -> String {
    guard text != "-" else { throw BadValue("wants a new file: stdout says what is in it") }
    return text
  }

  fileprivate static func callNumber(_ text: String) throws(BadValue) -> Int {
    guard let number = Int(text), number > 0, text.first != "+" else {
      throw BadValue("wants the number of a call, from 1")
    }
    return number
  }
}
