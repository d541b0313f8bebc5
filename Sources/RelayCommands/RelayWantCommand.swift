import CommandLine
import CommandResources
import CommandShell
import TripRelay
import Tripwire

let relayWantCommand = Command.calling(
  name: "relay want", summary: "request that the workers poll resources", operand: .resource,
  help: { help },
  request: { (line, options: RelayWantOptions) throws(UsageError) in
    if let error = options.contradiction(line) { throw error }
    guard let collection = options.collection else {
      return RelayWantRequest.names(
        try NameOperands.names(line, options.provider, of: "relay want"), options)
    }
    guard line.operands.isEmpty else {
      throw .conflict("NAME", "--search", hint: "remove --search, or remove the names")
    }
    guard let provider = options.provider.id else {
      throw .requirement(of: "--search", "--provider")
    }
    let query = try SearchQuery(
      collection, after: "--search", in: "providers/\(provider)", options.criteria, line)
    return .search(query, options)
  },
  run: { (request, console) throws(ErrorReport) in
    switch request {
    case .names(let names, let options): try await options.request(names, console)
    case .search(let query, let options): try await options.request(query, console)
    }
    return .success
  })

enum RelayWantRequest: Sendable {
  case names([ResourceName], RelayWantOptions)
  case search(SearchQuery, RelayWantOptions)
}

extension RelayWantOptions {
  fileprivate func request(
    _ names: [ResourceName], _ console: Console
  ) async throws(ErrorReport) {
    try await console.withRelayOnly { loop throws(ErrorReport) in
      try await relay.withClient(on: loop) { client throws(NATSError) in
        let requests = PollRequests(client) { problem in
          if !console.isQuiet { console.error("waiting: \(escaped(problem.message))\n") }
        }
        try await requests.prepare()
        try await requests.add(names, for: isPinned ? nil : duration)
      }
    }
  }

  /// Requests what is found, until the task is canceled.
  fileprivate func request(_ query: SearchQuery, _ console: Console) async throws(ErrorReport) {
    let loop = try console.requiredLoop()
    try await server.withServer(console, on: loop, isOnlyCall: false) {
      target throws(ErrorReport) in
      console.waitLine.end()
      let search = try RepeatedSearch(query, of: target, every: interval, server.output, console)
      try await relay.withClient(on: loop) { client throws(ErrorReport) in
        try await search.run(client)
      }
    }
  }
}

private let help = HelpText(
  usage: "tripwire relay want NAME... [options]\n"
    + "       tripwire relay want --search WHAT --provider ID [options]",
  about:
    "Requests that the workers poll \(ResourceKind.allCases.map(\.plural).joined(conjunction: "or")). If an"
    + " earlier request for the same resource ends later than this one, it stays in effect. A running reader, such as 'relay read', requests its resources"
    + " itself. " + NameOperands.inputHelp
    + " With --search, the command runs until a signal ends it: it searches at intervals, and requests what it finds.",
  examples: [
    "tripwire relay want providers/p/trips/t1 --for 10m": "",
    "tripwire relay want @names.txt --provider p": "",
    "tripwire relay want --search trips --active --provider p": "keep all active trips polled",
  ], options: RelayWantOptions.all,
  exitCodes: relayExitCodes.prefix(3) + [failedSearch] + relayExitCodes.dropFirst(3))

private var failedSearch: HelpText.Row {
  let (term, meaning) = ExitCode.failedCall(
    "The command continues after errors of the server and the network")
  return (term, "the first search failed, and retries will not help. " + meaning)
}
