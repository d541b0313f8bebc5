import CommandCalls
import CommandLine
import CommandResources
import CommandShell
import Tripwire

struct ChangeRequest: Sendable {
  let verb: ChangeVerb
  /// Nil for many new tasks.
  let name: ResourceName?
  /// The ID of the Cloud project.
  let providerID: String
  /// `FIELD=VALUE`.
  let fields: [String]
  let options: ChangeOptions
  /// The fields of the response to print; nil for all.
  let responseFields: ResponseFields?

  init(
    _ verb: ChangeVerb, _ line: ParsedCommandLine, _ options: ChangeOptions
  ) throws(UsageError) {
    self.verb = verb
    self.options = options
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a name: tripwire \(verb.rawValue) providers/my-project/trips/t1")
    }
    if let error = ResourceKind.separated(
      line.operands, options.provider, in: verb.rawValue)
    {
      throw error
    }
    fields = Array(line.operands.dropFirst())
    if let word = fields.first(where: { Parse.path(in: $0) == nil }) {
      throw UsageError(
        message: "unexpected argument \(escaped(word)): after NAME, \(verb.rawValue) takes"
          + (verb == .delete ? " nothing" : " only FIELD=VALUE"),
        hint: verb == .delete ? nil : FieldArguments.hint(for: word))
    }
    let changes = [
      fields.first.map(escaped), options.stop.map { _ in StopChange.option },
      options.attributes.isEmpty ? nil : ChangeOptions.attribute,
      options.call.data.isEmpty ? nil : "-d",
    ].compactMap(\.self)
    if changes.count > 1 { throw .conflict(changes[0], changes[1]) }
    if verb == .delete, let given = changes.first {
      throw .conflict(given, "delete", hint: "remove \(given)")
    }
    if verb != .update, let (option, _) = options.shortForm {
      throw .conflict(option, verb.rawValue, hint: "remove \(option)")
    }
    if let key = options.repeatedKey {
      throw UsageError(
        message: "\(ChangeOptions.attribute): the key \(escaped(key)) is given twice",
        hint: "pass each key once")
    }
    if options.isConfirmed, verb != .delete {
      throw .conflict("--yes", verb.rawValue, hint: "remove --yes")
    }
    if verb != .create, verb != .update {
      let option = options.call.fields != nil ? "--fields" : options.call.indents.map { _ in "-o" }
      if let option { throw .conflict(option, verb.rawValue, hint: "remove \(option)") }
    }
    if options.isDryRun, options.call.fields != nil { throw .conflict("--fields", "--dry-run") }
    if let error = options.call.data.contradiction(with: options.server) { throw error }
    let name: ResourceName?
    switch try Self.parsed(operand, verb, options.provider) {
    case .newTasks(let parent):
      name = nil
      providerID = parent
      guard !options.call.data.isEmpty else {
        throw UsageError(
          message: "-d is missing: with tasks as NAME, the tasks are read from JSON",
          hint: "pass the tasks with -d @FILE or -d -, or pass the name of one task")
      }
    case .resource(let single):
      name = single
      providerID = single.providerID
      guard verb.method(single.kind) != nil,
        verb != .reportBillable || single.kind == .trip
      else {
        throw UsageError(
          message: verb == .reportBillable
            ? "NAME: expected a trip, found a \(single.kind.noun)"
            : "NAME: Fleet Engine has no method to \(verb.rawValue) a \(single.kind.noun)",
          hint: verb == .reportBillable
            ? "use the name of a trip"
            : verb == .create
              ? "create a task, and set its field trackingId to this ID"
              : "use the name of the task that has this ID in trackingId")
      }
      if let (option, kind) = options.shortForm, single.kind != kind {
        throw .conflict(
          option, "a \(single.kind.noun)",
          hint: "pass the name of a \(kind.noun), or remove \(option)")
      }
      if verb == .update, changes.isEmpty {
        throw UsageError(
          message: "no fields were given", hint: "pass -d JSON or FIELD=VALUE for each field")
      }
    }
    self.name = name
    responseFields = try ResponseFields(
      options.call.fields,
      of: options.attributes.isEmpty
        ? name?.kind.messageName ?? BatchCreateTasksResponse.messageName
        : UpdateVehicleAttributesResponse.messageName)
  }

  var path: String {
    guard options.attributes.isEmpty else { return ChangeVerb.attributes }
    return name.flatMap { verb.method($0.kind) } ?? ChangeVerb.batch
  }

  private enum ParsedName {
    /// The ID of the Cloud project.
    case newTasks(String)
    case resource(ResourceName)
  }

  /// Returns the project of many new tasks, or the name of one resource.
  private static func parsed(
    _ operand: String, _ verb: ChangeVerb, _ provider: ProviderOption
  ) throws(UsageError) -> ParsedName {
    let parts = operand.split(separator: "/", omittingEmptySubsequences: false)
    if verb == .create, parts.last == "tasks", parts.count == 1 || parts.count == 3 {
      if parts.count == 1, provider.id == nil {
        throw UsageError(
          message: "NAME: the provider of the tasks is missing",
          hint: "add --provider PROJECT, or use the name providers/PROJECT/tasks")
      }
      let sample = parts.count == 3 ? operand + "/t" : "tasks/t"
      return .newTasks(try resourceName(sample, provider, [.task]).providerID)
    }
    var full = operand
    if verb == .reportBillable, parts.count == 2 || parts.count == 4,
      parts[parts.count - 2] == "billableTrips"
    {
      // The ID of a billable trip has the rules of a trip's.
      full = (parts.dropLast(2) + ["trips"] + parts.suffix(1)).joined(separator: "/")
    }
    return .resource(try resourceName(full, provider))
  }
}
