import Tripwire
import WireTransport

let getCommand = Command.calling(
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

/// Returns the name in an operand, completed with the provider. The error marks the mistake in it.
func resourceName<Name>(
  _ operand: String, _ provider: ProviderOption,
  _ parse: (String) throws(ResourceNameError) -> Name
) throws(UsageError) -> Name {
  let text = provider.fullName(operand)
  // U+FFFD replaces bytes that are not UTF-8.
  guard !text.unicodeScalars.contains("\u{FFFD}") else {
    throw UsageError(message: "NAME: the name is not UTF-8")
  }
  if let kind = ResourceKind(rawValue: operand) {
    throw UsageError(
      message: "NAME: the ID is missing after \(operand)",
      hint: "pass \(operand)/ID"
        + (kind.collection.map { ", or list them: tripwire search \($0)" } ?? ""))
  }
  do throws(ResourceNameError) {
    return try parse(text)
  } catch {
    let before = escaped(String(error.name.prefix(error.range.lowerBound))).count
    let wrong = escaped(
      String(error.name.dropFirst(error.range.lowerBound).prefix(error.range.count)))
    let isShort = provider.id != nil && !text.hasPrefix("providers/")
    let others =
      Name.self == ResourceName.self
      ? ", vehicles/VEHICLE, tasks/TASK, deliveryVehicles/VEHICLE, taskTrackingInfo/TRACKING_ID"
      : ""
    let reason =
      text.isEmpty
      ? "the name is empty"
      : isShort
        ? "expected TRIP, trips/TRIP\(others) or a full name such as providers/PROJECT/trips/TRIP"
        : error.reason
    throw UsageError(
      message: "NAME: \(escaped(reason))",
      excerpt: text.isEmpty
        ? []
        : [
          escaped(error.name),
          String(repeating: " ", count: before)
            + String(repeating: "^", count: max(1, wrong.count)),
        ], hint: wholeName(text) ?? correctedName(text, parse))
  }
}

/// Returns the hint for a name that starts with its collection, is only an ID, or is HOST:PORT; nil for any
/// other.
private func wholeName(_ text: String) -> String? {
  if (try? HostAndPort(text))?.port != nil { return UsageError.hint(forServer: text) }
  let name = ProviderOption(id: "PROJECT").fullName(text)
  guard name != text, !text.hasSuffix("/"), text != "providers" else { return nil }
  return "add --provider PROJECT, or use the full name \(escaped(name))"
}

/// Returns the hint for a name with a misspelled collection, "providers/p/trip/t1" or "trip/t1"; nil for any
/// other.
private func correctedName<Name>(
  _ text: String, _ parse: (String) throws(ResourceNameError) -> Name
) -> String? {
  var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 2 || parts.count == 4,
    let collection = nearest(
      to: parts[parts.count - 2], among: ResourceKind.allCases.map(\.rawValue))
  else { return nil }
  parts[parts.count - 2] = collection
  let name = parts.joined(separator: "/")
  let whole = ProviderOption(id: "p").fullName(name)
  return (try? parse(whole)).map { _ in "did you mean \(escaped(name))?" }
}

private let help =
  HelpText(
    usage: "tripwire get NAME [options]",
    about:
      "Gets a trip, a vehicle, a task, a delivery vehicle or the tracking information of a"
      + " shipment, and writes it to stdout. NAME is providers/PROJECT/ followed by trips/TRIP, vehicles/VEHICLE,"
      + " tasks/TASK, deliveryVehicles/VEHICLE or taskTrackingInfo/TRACKING_ID. With --provider,"
      + " providers/PROJECT/ may be omitted, and so may trips/.",
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [
          (
            "tripwire get providers/my-project/trips/t1 --token-file token.jwt",
            "print a trip as JSON"
          ),
          ("tripwire get providers/p/trips/t1 --token-file - -o text < token.jwt", ""),
          ("tripwire get providers/p/trips/t1 --endpoint localhost:50051 --plaintext -v", ""),
        ])
    ], options: GetOptions.all, exitCodes: ExitCode.table)
