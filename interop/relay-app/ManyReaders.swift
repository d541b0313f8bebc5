import FleetEngineAPI
import Foundation
import RelayAPI
import TripRelay
import WireIO
import WireProtobuf

/// Readers of one trip each, with a connection each, in one process.
///
/// A line has the number of the reader and the state, which also decodes as `TripState`, in Base64.
enum ManyReaders {
  static func run(_ url: String, count: Int, _ names: [TripName]) async throws {
    let loop = try EventLoop.start(name: "readers")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        let client = try await RelayClient.connect(NATSOptions(url: url), on: loop)
        let name = names[number % names.count]
        let reader = RelayReader(client, [.trip(name)], to: Printer(number: number)) { _ in }
        group.addTask { try await reader.run() }
      }
      try await group.waitForAll()
    }
  }
}

private struct Printer: StateReceiver {
  let number: Int
  var isClosed: Bool { false }

  func write(_ state: ResourceState, age: Duration?) {
    guard case .trip = state.resource else { return }
    let text = Data(state.serializedBytes()).base64EncodedString()
    FileHandle.standardOutput.write(Data("\(number) \(text)\n".utf8))
  }
}
