import CommandCalls
package import CommandLine
import CommandResources
package import CommandShell
import Tripwire

package let followCommand = Command.calling(
  name: "follow", summary: "follow trips, vehicles and tasks, and show what changes",
  operand: .resource,
  help: { help },
  request: { (line, options: FollowOptions) throws(UsageError) in
    if options.fields != nil, let output = options.output, output != .json {
      throw .conflict("--fields", "-o \(output)", hint: "use -o json")
    }
    let names = try FollowRequest.names(line, options, of: "follow")
    var fields: [ResourceKind: ResponseFields] = [:]
    for name in names where fields[name.kind] == nil {
      fields[name.kind] = try ResponseFields(options.fields, of: name.kind.messageName)
    }
    return FollowRequest(names: names, options: options, fields: fields)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

extension FollowRequest {
  /// Returns the resources that a command line names, if the options apply to them.
  static func names(
    _ line: ParsedCommandLine, _ options: FollowOptions, of command: String
  ) throws(UsageError) -> [ResourceName] {
    if NameOperands.readInput(line.operands), let use = options.server.standardInput {
      let isToken = options.server.token.source?.isStandardInput == true
      throw UsageError(
        message: "NAME - cannot read stdin: the \(use) read from it",
        hint: isToken
          ? "write the token to a file, and pass it with --token-file FILE"
          : "write the headers to a file, and pass them with -H @FILE")
    }
    let names = try NameOperands.names(line, options.provider, of: command)
    if let error = options.contradiction(Set(names.map(\.kind))) { throw error }
    return names
  }

  /// For the help.
  package static let exitCodes: [HelpText.Row] =
    [
      (
        "0",
        "every trip reached the status of --until; without --until, every trip is complete and every task"
          + " and shipment is closed, or --for expired after the server returned at least one resource"
      ),
      (
        "3",
        "at least one trip was canceled, and every other trip ended or reached the status of --until. With"
          + " --until canceled, 3 means instead that at least one trip was completed"
      ),
      (
        "4",
        "with --until: the server returned at least one trip, but --for expired before every trip reached"
          + " the status of --until or ended; stderr lists the trips that did neither"
      ),
    ]
    + ExitCode.table.filter { $0.term != "0" }.map { row in
      let isCall = row.term == ExitCode.callTerm
      return isCall
        ? (row.term, whenACallFails + row.meaning.dropFirst(ExitCode.callFailed.count)) : row
    }
}

private let help = HelpText(
  usage: "tripwire follow NAME... [options]",
  about:
    "Follows trips until they are complete or canceled, tasks and shipments until they are closed, and"
    + " vehicles until you stop the command. Prints each change of status, ETA, distance and location. It prints an"
    + " error when the error starts or changes, and keeps following."
    + " After server and network errors it backs off, up to about 30s between requests, or --interval if that"
    + " is longer. After client errors it keeps polling at the normal interval. A token command that failed"
    + " is repeated after 2 s, and later after up to 10 s. It honors the server's retry delay, up to"
    + " 10 min. \(NameOperands.nameHelp) \(NameOperands.inputHelp)",
  examples: [
    "tripwire follow providers/my-project/trips/t1": "",
    "tripwire follow providers/p/trips/t1 --until arrived-at-pickup --for 10m":
      "wait up to ten minutes; exit with 4 if it has not arrived",
    "tripwire follow providers/p/tasks/t1 providers/p/deliveryVehicles/v1":
      "follow a task and its vehicle",
    "tripwire search trips --provider p -o name | tripwire follow -":
      "follow the trips that are found",
    "tripwire follow providers/p/trips/t1 -o json | jq -c '[.time, .changed]'":
      "print the time and the changed fields",
  ], options: FollowOptions.all, exitCodes: FollowRequest.exitCodes)

private let whenACallFails =
  "with --fail-fast, a call failed. Without it, --for expired before the server returned any resource; the"
  + " code is then that of the first NAME on the command line that has an error, or 68 if none has one."
  + " The codes: "
