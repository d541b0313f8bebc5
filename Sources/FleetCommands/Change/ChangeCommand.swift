import CommandLine
package import CommandShell
import Tripwire

package let createCommand = changeCommand(
  .create, "create a trip, a vehicle, a task or many tasks",
  usage: "NAME [-d JSON | FIELD=VALUE...] [options]",
  about: "Creates a resource and prints it as JSON. NAME is the name of the new resource, such as"
    + " providers/PROJECT/tasks/TASK. To create many tasks, let NAME be 'tasks' or"
    + " providers/PROJECT/tasks, and pass a JSON object for each task with -d. The field \"name\" of each object is the name or ID of the task."
    + " Tasks are created 500 at a time, with BatchCreateTasks.",
  examples: [
    "tripwire create providers/p/trips/t1 -d @trip.json": "",
    "tripwire create providers/p/deliveryVehicles/v1 type=AUTO": "",
    "tripwire create tasks --provider p -d - < tasks.jsonl": "create many tasks",
  ])

package let updateCommand = changeCommand(
  .update, "update fields of a trip, a vehicle or a task",
  usage: "NAME [-d JSON | FIELD=VALUE... | --stop STATE |\n"
    + "                       --attribute KEY=VALUE...] [options]",
  about:
    "Updates the given fields of a resource and prints it as JSON. The update mask lists each FIELD, which"
    + " may be the path of a field in a message: last_location.speed=3. FIELD= clears a string."
    + " For JSON, the mask lists the top-level fields: a field with null or its default value is cleared, and"
    + " a message field is replaced as a whole. --dry-run shows the mask."
    + " In JSON, the lists of stops and of attributes are replaced as a whole; --stop and --attribute change one"
    + " item.",
  examples: [
    "tripwire update providers/p/trips/t1 trip_status=COMPLETE": "",
    "tripwire update tasks/t1 --provider p task_outcome=SUCCEEDED --dry-run": "",
    "tripwire update providers/p/deliveryVehicles/v1 -d @plan.json": "",
    "tripwire update providers/p/deliveryVehicles/v1 --stop arrived":
      "the vehicle has arrived at its next stop",
    "tripwire update providers/p/vehicles/v1 --attribute seats=4": "",
  ])

package let deleteCommand = changeCommand(
  .delete, "delete a trip, a vehicle or a task",
  usage: "NAME [options]",
  about: "Deletes a resource. On a terminal, tripwire asks for confirmation. Otherwise --yes is"
    + " required.",
  examples: [
    "tripwire delete providers/p/tasks/t1": "",
    "tripwire delete providers/p/trips/t1 --yes": "delete without confirmation",
  ])

package let reportBillableCommand = changeCommand(
  .reportBillable, "report a trip for billing",
  usage: "NAME [-d JSON | FIELD=VALUE...] [options]",
  about:
    "Reports a trip for billing, with ReportBillableTrip. NAME is providers/PROJECT/billableTrips/TRIP or"
    + " the name of the trip. -d and FIELD=VALUE set the other fields of ReportBillableTripRequest.",
  examples: [
    "tripwire report-billable providers/p/trips/t1 country_code=US": "",
    "tripwire report-billable t1 --provider p country_code=US platform=IOS": "",
  ])

private func changeCommand(
  _ verb: ChangeVerb, _ summary: String, usage: String, about: String,
  examples: KeyValuePairs<String, String>
) -> Command {
  Command.calling(
    name: verb.rawValue, summary: summary, operand: .change(verb),
    help: {
      HelpText(
        usage: "tripwire \(verb.rawValue) \(usage)",
        about: about + " With --provider, providers/PROJECT/ may be omitted.",
        examples: examples, options: ChangeOptions.accepted(by: verb), exitCodes: ExitCode.table)
    },
    request: { (line, options: ChangeOptions) throws(UsageError) in
      try ChangeRequest(verb, line, options)
    },
    run: { (request, console) throws(ErrorReport) in try await request.run(console) })
}

/// A command that changes a resource. The raw value is the name of the command.
enum ChangeVerb: String, Sendable {
  case create
  case update
  case delete
  case reportBillable = "report-billable"

  /// The path of the method without the first slash; nil if the API has none.
  func method(_ kind: ResourceKind) -> String? {
    guard self != .reportBillable else { return Self.name(TripServiceMethods.reportBillableTrip) }
    let path = kind.path(of: rawValue.prefix(1).uppercased() + rawValue.dropFirst())
    return FleetMethod.all[path].map { String($0.path.dropFirst()) }
  }

  static let batch = name(DeliveryServiceMethods.batchCreateTasks)
  static let attributes = name(VehicleServiceMethods.updateVehicleAttributes)

  private static func name<Request, Response>(
    _ method: MethodDescriptor<Request, Response>
  ) -> String {
    String(method.path.dropFirst())
  }
}
