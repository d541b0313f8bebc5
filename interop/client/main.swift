import WireGRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Makes the calls of gRPC's interoperability tests (doc/interop-test-descriptions.md) to a server
// without TLS on this machine, and prints a line for each case.
//
//     interop-client PORT [CASE…]
//
// Without names it makes them all. It ends with 1 when one of them fails.
//
//     interop-client drive
//
// makes the calls that standard input orders (Driver.swift).

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "drive" {
  var driver = Driver()
  try await driver.run()
  exit(0)
}
let names = arguments.dropFirst()
let unknown = names.filter { InteropCases.all[$0] == nil }
guard let port = arguments.first.flatMap({ UInt16($0) }), unknown.isEmpty else {
  print("usage: interop-client PORT [CASE…]")
  print("cases: \(InteropCases.all.keys.sorted().joined(separator: " "))")
  exit(2)
}

let cases = InteropCases(
  channel: try Channel(
    target: "127.0.0.1:\(port)", configuration: ChannelConfiguration(security: .plaintext)))
var failures: Int32 = 0
for name in names.isEmpty ? InteropCases.all.keys.sorted() : Array(names) {
  do {
    try await InteropCases.all[name]?(cases)
    print("ok \(name)")
  } catch {
    failures += 1
    print("FAILED \(name): \(error)")
  }
}
await cases.channel.close()
exit(failures == 0 ? 0 : 1)
