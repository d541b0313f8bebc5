import WireGRPC
import WireHTTP2
import WireProtobuf
import WireServices

/// Tells clients whether the server takes calls (grpc.health.v1).
struct HealthService {
  static let serviceName = "grpc.health.v1.Health"

  /// The names of all that it is asked after.
  let services: Set<String>
  var isServing = true

  /// The answer to `Check`: NOT_FOUND for a service that the server has not.
  func check(_ requests: [[UInt8]]) throws(Refusal) -> Answer {
    let service = try Self.service(requests)
    guard service.isEmpty || services.contains(service) else {
      throw Refusal(.notFound, "unknown service \(service.shortened(to: 200))")
    }
    return Answer(
      steps: [
        .init(content: .headers(HeaderList(Answer.beginning))),
        .init(content: .message(Self.frame(status))),
        .init(content: .trailers(HeaderList(Status(.ok).headerFields))),
      ])
  }

  /// The beginning of the answer to `Watch`, which goes on.
  func watch(_ requests: [[UInt8]]) throws(Refusal) -> Answer {
    let service = try Self.service(requests)
    let isKnown = service.isEmpty || services.contains(service)
    return Answer(
      steps: [
        .init(content: .headers(HeaderList(Answer.beginning))),
        .init(content: .message(Self.frame(isKnown ? status : .serviceUnknown))),
      ])
  }

  /// What is said to those who watch when the server stops.
  static var end: [Answer.Step.Content] {
    [
      .message(frame(.notServing)),
      .trailers(HeaderList(Status(.unavailable, "the server is stopping").headerFields)),
    ]
  }

  private var status: HealthCheckResponse.ServingStatus { isServing ? .serving : .notServing }

  private static func service(_ requests: [[UInt8]]) throws(Refusal) -> String {
    guard requests.count == 1 else {
      throw Refusal(.unimplemented, "expected one request message, got \(requests.count)")
    }
    do throws(DecodingError) {
      return try HealthCheckRequest(serializedBytes: requests[0]).service
    } catch {
      throw Refusal(.invalidArgument, "\(error)".shortened(to: 200))
    }
  }

  private static func frame(_ status: HealthCheckResponse.ServingStatus) -> [UInt8] {
    var response = HealthCheckResponse()
    response.status = status
    // Of two bytes, which no frame is too small for.
    return (try? MessageFramer.frame(response.serializedBytes())) ?? []
  }
}
