// Follows trips of a relay with the library, and prints a line for each update.
//
//     relay-app NATS-URL NAME...
//     relay-app NATS-URL --readers COUNT NAME...
//
// A line has the name of the trip, its remaining distance or `-`, `stale` or `fresh`, and the message of the failure.
// The second form starts many readers, see `ManyReaders`.

import Foundation
import TripRelay
import Tripwire

let arguments = CommandLine.arguments.dropFirst()
guard let url = arguments.first else { exit(2) }
if arguments.dropFirst().first == "--readers" {
  guard let count = arguments.dropFirst(2).first.flatMap({ Int($0) }) else { exit(2) }
  try await ManyReaders.run(url, count: count, arguments.dropFirst(3).map { try TripName($0) })
}
let fleet = try FleetServices(
  providerID: "any", source: RelaySource(NATSOptions(url: url)))
await withTaskGroup(of: Void.self) { group in
  for name in arguments.dropFirst() {
    guard let name = try? TripName(name) else { exit(2) }
    let model = fleet.tripService.tripModel(forTripName: name)
    group.addTask {
      for await update in model.updates {
        let distance = update.trip?.remainingDistanceMeters.map { "\($0)" } ?? "-"
        let state = update.isStale ? "stale" : "fresh"
        let failure = update.failure?.error.message ?? ""
        FileHandle.standardOutput.write(Data("\(name) \(distance) \(state) \(failure)\n".utf8))
      }
    }
  }
}
