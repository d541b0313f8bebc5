import WireGRPCClient
import WireSystem

// Makes the calls of gRPC's interoperability tests (doc/interop-test-descriptions.md), a line for
// each case, or many calls at an even pace, and tells how they ended.
//
// Ends with 1 when something is not as it should be, with 2 when it was called wrongly.

let flags = Flags(CommandLine.arguments.dropFirst())

func usage(_ problem: String) -> Never {
  print(problem)
  print("usage: interop-client FLAGS [CASE…]      makes all cases, or these")
  print("       interop-client FLAGS load LOAD    makes calls, prints JSON")
  print("       interop-client FLAGS churn CHURN  makes channels, prints JSON")
  print("       interop-client drive              makes the calls that standard input orders")
  print(Flags.known)
  print("LOAD:")
  print(Load.known)
  print("CHURN:")
  print(Churn.known)
  print("cases: \(InteropCases.all.keys.sorted().joined(separator: " "))")
  exit(2)
}

/// Whether all went well.
func runCases(_ names: [String]) async throws -> Bool {
  let received = ReceivedMessages()
  let cases = InteropCases(channel: try flags.channel(trace: received.note), received: received)
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
    usage("there is no case \"\(unknown)\"")
  }
  try flags.checkNames(isLoad ? Load.flags : [])
  if isLoad {
    print(try await Load(flags).run().json)
  } else {
    exit(try await runCases(flags.words) ? 0 : 1)
  }
} catch {
  usage("\(error)")
}
