import WireGRPCClient
import WireSystem

// Runs gRPC's interop test cases (doc/interop-test-descriptions.md) and prints a line for each, or makes
// many calls at a constant rate and prints a report.
//
// The exit code is 1 if a case fails, and 2 for a usage error.

let flags = Flags(CommandLine.arguments.dropFirst())

func usage(_ problem: String) -> Never {
  print(problem)
  print("usage: interop-client FLAGS [CASE…]      runs all cases, or these")
  print("       interop-client FLAGS load LOAD    makes calls, prints a report in JSON")
  print("       interop-client FLAGS churn CHURN  makes channels, prints a report in JSON")
  print("       interop-client drive              makes the calls given on standard input")
  print(Flags.known)
  print("rpc_soak, channel_soak:")
  print(Soak.known)
  print("LOAD:")
  print(Load.known)
  print("CHURN:")
  print(Churn.known)
  print("cases: \(InteropCases.all.keys.sorted().joined(separator: " "))")
  exit(2)
}

/// Runs the cases; returns whether all passed.
func runCases(_ names: [String]) async throws -> Bool {
  let cases = try InteropCases(flags)
  var isGood = true
  for name in names.isEmpty ? InteropCases.all.keys.sorted() : names {
    do {
      try await InteropCases.all[name]?(cases)
      print("ok \(name)")
    } catch {
      isGood = false
      print("FAILED \(name): \(error)")
    }
  }
  await cases.channel.close()
  return isGood
}

do {
  if flags.words == ["drive"] {
    var driver = Driver()
    try await driver.run()
    exit(0)
  }
  if flags.words == ["churn"] {
    try flags.checkNames(Churn.flags)
    print(try await Churn(server: flags).run())
    exit(0)
  }
  let isLoad = flags.words.first == "load"
  let cases = isLoad ? flags.words.dropFirst() : flags.words[...]
  if let unknown = cases.first(where: { InteropCases.all[$0] == nil }) {
    usage("unknown case \"\(unknown)\"")
  }
  try flags.checkNames(isLoad ? Load.flags : Soak.flags)
  if isLoad {
    print(try await Load(flags).run().json)
  } else {
    exit(try await runCases(flags.words) ? 0 : 1)
  }
} catch {
  usage("\(error)")
}
