import Tripwire

let followCommand = Command.calling(
  name: "follow", summary: "follow trips and show what changes", help: { help },
  request: { (line, options: FollowOptions) throws(UsageError) in
    try FollowRequest(line, options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

extension FollowRequest {
  /// Takes the command line for one, or says what is wrong with it.
  fileprivate init(_ line: ParsedCommandLine, _ options: FollowOptions) throws(UsageError) {
    guard !line.operands.isEmpty else {
      throw UsageError(
        message: "NAME is missing", hint: "as in: tripwire follow providers/my-project/trips/t1")
    }
    var names: [TripName] = []
    for operand in line.operands {
      if case .vehicle? = try? ResourceName(operand) {
        throw UsageError(
          message: "NAME: only trips can be followed",
          hint: "tripwire get \(escaped(operand)) gets a vehicle")
      }
      let name = try resourceName(operand, TripName.init)
      if !names.contains(name) { names.append(name) }
    }
    self.init(names: names, options: options)
  }
}

private let help =
  HelpText(
    usage: "tripwire follow NAME... [options]",
    about: "Follows trips until they are complete and shows what changes: status, ETA, distance,"
      + " place, and the errors on the way, which it survives: after those of the server and the"
      + " network it asks less and less often, up to every 30s; after a client error, which you have"
      + " to mend, as before; and a server that says when to come back has its way, for ten minutes"
      + " at most. NAME is providers/PROJECT/trips/TRIP.",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire follow providers/my-project/trips/t1 --token-file token.jwt", ""),
          (
            "tripwire follow providers/p/trips/t1 --until arrived-at-pickup --for 10m",
            "wait for the vehicle, at most ten minutes: exit with 4 if it has not come"
          ),
          (
            "tripwire follow providers/p/trips/t1 -o json | jq -c '[.time, .changed]'",
            "one object a line: {\"time\":…,\"name\":…,\"changed\":[…],\"trip\":{…}} with the whole"
              + " trip, the names of its fields that changed (jq '.trip[.changed[]]'), and \"stale\":true"
              + " while it is stale; \"changed\":[] where only an error is over, or staleness changed;"
              + " or {\"time\":…,\"name\":…,\"error\":{…}}, when an error starts or changes"
          ),
        ])
    ] + HelpText.sections(of: FollowOptions.all) + [
      HelpText.Section(
        title: "Exit codes",
        rows: [
          (
            "0",
            "the trip, or each of several, has reached the awaited status; or the time of --for is up"
              + " without --until, and a trip was answered"
          ),
          (
            "3",
            "the trip was canceled first; with --until canceled: it is complete; of several, one was,"
              + " and the others have come to their ends"
          ),
          (
            "4",
            "the time of --for is up and a trip has not reached the status of --until; stderr says"
              + " which"
          ),
        ]
          + ExitCode.table.filter { $0.term != "0" }.map { row in
            let isCall = row.term == "64 + gRPC code"
            return isCall ? (row.term, whenACallFails + row.meaning) : row
          })
    ]
  ).description

private let whenACallFails =
  "with --fail-fast, or when the time of --for is up and no trip was answered (of the first NAME that"
  + " has an error): "
