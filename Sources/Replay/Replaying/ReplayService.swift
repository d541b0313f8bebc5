import ProtobufDescriptors
import Recording
import WireGRPC
import WireGRPCServer

/// Answers calls from a recording or a script, and those of health and reflection.
final class ReplayService: CallHandler {
  private var index: ResponseIndex
  private let health: HealthService
  private let speed: Int?
  private let requiresToken: Bool
  /// Created on the first request, because it may need much memory.
  private lazy var reflection = makeReflection()
  private let makeReflection: () -> ReflectionService

  init(_ index: ResponseIndex, _ configuration: ReplayConfiguration = .init()) {
    self.index = index
    speed = configuration.speed
    requiresToken = configuration.requiresToken
    let services =
      index.services.union(ReflectionService.serviceNames).union([HealthService.serviceName])
    health = HealthService(services: services)
    let calls = index.reflectionCalls
    makeReflection = {
      ReflectionService(
        services: services.sorted(), preferred: ReplayService.files(in: calls),
        files: configuration.descriptors())
    }
  }

  /// Recorded responses come first, except for reflection, which describes this server.
  func route(_ head: RequestHead) throws(Refusal) -> CallRoute {
    if ReflectionService.paths.contains(head.path) { return reflection.route }
    if let route = health.route(head.path), !index.has(method: head.path) { return route }
    let method = try index.method(head.path)
    guard head.token != nil || !requiresToken else { throw .tokenIsMissing }
    return CallRoute { [self] in RecordedCallResponder(self, method) }
  }

  func shutDown() { health.shutDown() }

  func playback(
    of method: ResponseIndex.Method, _ requests: [[UInt8]], observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) throws(Refusal) -> Playback {
    let match = try index.response(to: method, requests, now: now)
    if let observer { observer.match(match.description(requests, to: method.path)) }
    return Playback(match.response, speed: speed, now: now)
  }

  /// The files in the responses to recorded reflection calls.
  private static func files(in calls: [RecordedCall]) -> [FileDescriptorProto] {
    calls.flatMap(\.responses).flatMap { response -> [FileDescriptorProto] in
      guard let response = try? ServerReflectionResponse(serializedBytes: response),
        case .fileDescriptorResponse(let files)? = response.messageResponse
      else { return [] }
      return files.fileDescriptorProto.compactMap {
        try? FileDescriptorProto(serializedBytes: $0)
      }
    }
  }
}
