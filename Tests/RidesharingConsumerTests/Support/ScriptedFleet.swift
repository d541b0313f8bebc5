import Tripwire
import WireGRPC

@testable import Recording
@testable import Replay

/// A server on loopback that sends scripted responses to requests for one trip, and repeats the
/// last one.
enum ScriptedFleet {
  enum Answer {
    case trip(Trip)
    case error(StatusCode, String)

    /// A trip with nothing but a name and a status.
    static func status(_ status: TripStatus) -> Answer {
      .trip(Trip(name: tripName, tripStatus: status))
    }
  }

  static let tripName = "providers/p/trips/t1"

  /// Runs `body` with the address of a server, then stops it.
  static func serving(
    _ answers: [Answer], _ body: (_ endpoint: String) async throws -> Void
  ) async throws {
    let calls = answers.enumerated().map { call(UInt64($0.offset + 1), $0.element) }
    let server = try ReplayServer(.recording(RecordedCalls(calls: calls, warnings: [])))
    let address = try await server.start()
    do {
      try await body("\(address)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private static func call(_ id: UInt64, _ answer: Answer) -> RecordedCall {
    let request = GetTripRequest(name: tripName)
    var call = RecordedCall(
      id: id, method: TripServiceMethods.getTrip.path, authority: "localhost")
    call.requests = [request.serializedBytes()]
    var code = StatusCode.ok
    var message = ""
    switch answer {
    case .trip(let trip):
      call.headers = [:]
      call.responses = [trip.serializedBytes()]
    case .error(let failure, let text):
      (code, message) = (failure, text)
    }
    call.ending = .init(code: code, message: message, details: [], trailers: [:])
    call.events = [.init(kind: .request), .init(kind: .halfClose)]
    if code == .ok { call.events += [.init(kind: .headers), .init(kind: .response)] }
    call.events.append(.init(kind: .ending))
    return call
  }
}
