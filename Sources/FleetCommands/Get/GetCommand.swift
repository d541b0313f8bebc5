import CommandCalls
import CommandLine
import CommandResources
package import CommandShell
import Tripwire
import WireTransport

package let getCommand = Command.calling(
  name: "get", summary: "get a trip, a vehicle or a task by its name", operand: .resource,
  help: { help },
  request: { (line, options: GetOptions) throws(UsageError) in try GetRequest(line, options) },
  run: { (request, console) throws(ErrorReport) in
    console.print(try await request.answer(console))
  })

extension GetRequest {
  /// Makes a request from the command line.
  fileprivate init(_ line: ParsedCommandLine, _ options: GetOptions) throws(UsageError) {
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a name: tripwire get providers/my-project/trips/t1")
    }
    if let error = ResourceKind.separated(line.operands, options.provider, in: "get") {
      throw error
    }
    guard line.operands.count == 1 else {
      let other = line.operands[1]
      let isServer = (try? HostAndPort(other))?.port != nil
      throw UsageError(
        message: "unexpected argument \(escaped(other)): get takes one NAME",
        hint: isServer ? UsageError.hint(forServer: other) : nil)
    }
    let name = try resourceName(operand, options.provider, ResourceName.init)
    if name.kind != .trip, options.view != nil || options.routeFormat != nil {
      let option = options.view != nil ? "--view" : "--route-format"
      throw .conflict(option, "a \(name.kind.noun)", hint: "remove \(option)")
    }
    if options.fields != nil, options.output != .json {
      throw .conflict("--fields", "-o \(options.output)", hint: "use -o json")
    }
    self.init(
      name: name, options: options,
      fields: try ResponseFields(options.fields, of: name.kind.messageName))
  }
}

private let help = HelpText(
  usage: "tripwire get NAME [options]",
  about:
    "Gets a trip, a vehicle, a task, a delivery vehicle or the tracking information of a"
    + " shipment, and writes it to stdout. NAME is providers/PROJECT/ followed by trips/TRIP, vehicles/VEHICLE,"
    + " tasks/TASK, deliveryVehicles/VEHICLE or taskTrackingInfo/TRACKING_ID. With --provider,"
    + " providers/PROJECT/ may be omitted, and so may trips/.",
  examples: [
    "tripwire get providers/my-project/trips/t1 --token-file token.jwt": "print a trip as JSON",
    "tripwire get providers/p/trips/t1 --token-file - -o text < token.jwt": "",
    "tripwire get providers/p/trips/t1 --endpoint localhost:50051 --plaintext -v": "",
  ], options: GetOptions.all, exitCodes: ExitCode.table)
