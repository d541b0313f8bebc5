// For the contexts of the samples.

import Tripwire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends the program if a condition is false.
func expect(
  _ condition: @autoclosure () throws -> Bool, file: StaticString = #file, line: UInt = #line
) rethrows {
  guard try !condition() else { return }
  fail("\(file):\(line): not as expected")
}

func fail(_ reason: String) -> Never {
  print(reason)
  exit(1)
}

/// The addresses of the servers of the test, in place of those in samples.
let endpoint = variable("SAMPLE_ENDPOINT")
let backend = variable("SAMPLE_BACKEND")

private func variable(_ name: String) -> String {
  guard let value = getenv(name) else { fail("\(name) is not set") }
  return String(cString: value)
}

func simulatedFleet() throws -> FleetServices {
  try FleetServices(
    providerID: "my-project", endpoint: endpoint,
    configuration: ChannelConfiguration(security: .plaintext))
}
