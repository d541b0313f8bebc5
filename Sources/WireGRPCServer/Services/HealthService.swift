import WireGRPC
import WireHTTP2
import WireProtobuf

/// Reports whether the server takes calls (grpc.health.v1).
package final class HealthService {
  package static let serviceName = "grpc.health.v1.Health"

  /// The names of the services that clients may ask about.
  private let services: Set<String>
  private var isServing = true

  package init(services: Set<String>) {
    self.services = services
  }

  /// Reports NOT_SERVING from now on.
  package func shutDown() { isServing = false }

  /// Returns nil for a path of another service.
  package func route(_ path: String) -> CallRoute? {
    switch path {
    case HealthMethods.check.path:
      CallRoute {
        UnaryResponder { [self] requests throws(Refusal) in try check(requests) }
      }
    case HealthMethods.watch.path:
      CallRoute {
        UnaryResponder(finalActions: Self.finalActions) { [self] requests throws(Refusal) in
          try watch(requests)
        }
      }
    default: nil
    }
  }

  /// Throws NOT_FOUND for an unknown service.
  private func check(_ requests: [[UInt8]]) throws(Refusal) -> [ResponseAction] {
    let service = try Self.service(requests)
    guard service.isEmpty || services.contains(service) else {
      throw Refusal(.notFound, "unknown service \(service.shortened(to: 200))")
    }
    return [
      .headers(ResponseHeaders.list), .message(Self.frame(status)),
      .trailers(ResponseHeaders.success),
    ]
  }

  /// The beginning of a response that stays open.
  private func watch(_ requests: [[UInt8]]) throws(Refusal) -> [ResponseAction] {
    let service = try Self.service(requests)
    let isKnown = service.isEmpty || services.contains(service)
    return [
      .headers(ResponseHeaders.list),
      .message(Self.frame(isKnown ? status : .serviceUnknown)),
    ]
  }

  /// The end of `Watch` when the server stops.
  private static var finalActions: [ResponseAction] {
    [
      .message(frame(.notServing)),
      .trailers(HeaderList(Status(.unavailable, "the server is stopping").headerFields)),
    ]
  }

  private var status: HealthCheckResponse.ServingStatus { isServing ? .serving : .notServing }

  private static func service(_ requests: [[UInt8]]) throws(Refusal) -> String {
    guard requests.count == 1 else {
      throw .messageCount(requests.count)
    }
    do throws(DecodingError) {
      return try HealthCheckRequest(serializedBytes: requests[0]).service
    } catch {
      throw Refusal(.invalidArgument, "\(error)".shortened(to: 200))
    }
  }

  private static func frame(_ status: HealthCheckResponse.ServingStatus) -> [UInt8] {
    let response = HealthCheckResponse(status: status)
    // Two bytes, which always fit into a frame.
    return (try? MessageFramer.frame(response.serializedBytes())) ?? []
  }
}
