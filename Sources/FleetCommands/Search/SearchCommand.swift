import CommandCalls
import CommandLine
import CommandResources
package import CommandShell
import Tripwire

package let searchCommand = Command.calling(
  name: "search", summary: "find trips, vehicles, tasks or delivery vehicles",
  operand: .choice(SearchQuery.collections),
  help: { help },
  request: { (line, options: SearchOptions) throws(UsageError) in
    try SearchRequest(line, options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

extension SearchRequest {
  fileprivate init(_ line: ParsedCommandLine, _ options: SearchOptions) throws(UsageError) {
    let example = "tripwire search trips providers/my-project"
    guard let collection = line.operands.first else {
      throw UsageError(
        message: "the operand is missing: expected \(Self.expected)", hint: "run: \(example)")
    }
    guard SearchQuery.collections.contains(collection) else {
      let guess = nearest(to: collection, among: SearchQuery.collections)
      throw UsageError(
        message: "search \(shown(collection)): expected \(Self.expected)",
        hint: guess.map { "did you mean: tripwire search \($0)" } ?? "run: \(example)")
    }
    let operands = line.operands
    guard operands.count < 3 else {
      throw UsageError(
        message: "unexpected argument \(escaped(operands[2])): search takes one provider")
    }
    let operand = operands.dropFirst().first
    if options.fields != nil, let output = options.output, output != .json {
      throw .conflict("--fields", "-o \(output)", hint: "use -o json")
    }
    let query = try SearchQuery(
      collection, after: "search", in: try parent(operand, collection, options.provider),
      options.criteria, limit: options.limit, line)
    self.init(
      query: query, options: options,
      fields: try ResponseFields(options.fields, of: query.messageName))
  }

  private static let expected = SearchQuery.collections.joined(conjunction: "or")
}

/// Returns the parent of the resources to find, "providers/p".
private func parent(
  _ operand: String?, _ collection: String, _ provider: ProviderOption
) throws(UsageError) -> String {
  guard let operand else {
    if let id = provider.id { return "providers/\(id)" }
    throw UsageError(
      message: "the provider is missing",
      hint: "pass the Cloud project: tripwire search \(collection) --provider my-project")
  }
  let parts = operand.split(separator: "/", omittingEmptySubsequences: false)
  let isOfCollection =
    parts.count == 3
    && parts[2] == (collection == "delivery-vehicles" ? "deliveryVehicles" : collection)
  guard parts.count == 2 || isOfCollection, parts[0] == "providers" else {
    let project = parts.count > 1 && parts[0] == "providers" ? String(parts[1]) : operand
    throw UsageError(
      message: "PROVIDER \(shown(operand)): expected providers/PROJECT",
      hint: project.isEmpty || project.contains("/")
        ? "pass the Cloud project: providers/my-project"
        : "did you mean: providers/\(escaped(project))")
  }
  do throws(ResourceNameError) {
    return "providers/\(try TripName(providerID: String(parts[1]), tripID: "t").providerID)"
  } catch {
    throw UsageError(
      message: "PROVIDER \(shown(operand)): \(escaped(error.reason))",
      hint: "pass the Cloud project: providers/my-project")
  }
}

private let help = HelpText(
  usage: "tripwire search \(SearchQuery.collections.joined(separator: "|"))\n"
    + "                       [providers/PROJECT] [options]",
  about:
    "Finds trips, vehicles, tasks or delivery vehicles and prints a line for each. It calls SearchTrips,"
    + " ListTasks, ListDeliveryVehicles or ListVehicles (for vehicles with --near, SearchVehicles), and gets"
    + " all pages. --timeout limits the whole command; without it, each page may take 15 s, or 60 s for"
    + " deliveries. If the server repeats a page token, tripwire stops with a warning and exit code 0. The"
    + " token must allow access to all resources of the searched kind.",
  examples: [
    "tripwire search trips --provider my-project --active": "",
    "tripwire search trips --provider my-project --active --minimum-staleness 1h": "",
    "tripwire search tasks providers/p --filter 'state = OPEN'": "",
    "tripwire search vehicles providers/p --near 37.77,-122.42 --radius 2000": "",
    "tripwire search trips providers/p --active -o name | tripwire map -":
      "show these trips on a map",
  ], options: SearchOptions.all, exitCodes: ExitCode.table)
