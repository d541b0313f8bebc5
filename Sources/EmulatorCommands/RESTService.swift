import CommandLine
import CommandShell
import DynamicProtobuf
import FleetEmulator
import HTTPServer
import HTTPTranscoding
import ProtobufDescriptors
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// Answers HTTP requests with JSON from an emulated fleet, by the HTTP rules of the methods.
struct RESTService: Sendable {
  /// The greatest size of a request, which is that of gRPC.
  private static let bodyLimit = 4 << 20

  private let fleet: EmulatedFleet
  private let transcoder: Transcoder
  private let observers: [ServedCall.Observer]

  /// - Parameters:
  ///   - descriptors: those of the methods, with their HTTP rules.
  ///   - observers: are notified of the calls.
  init(
    _ fleet: EmulatedFleet, _ descriptors: [FileDescriptorProto], _ observers: [ServedCall.Observer]
  ) throws(ErrorReport) {
    self.fleet = fleet
    self.observers = observers
    do {
      transcoder = try Transcoder(DescriptorPool(descriptors))
    } catch {
      throw ErrorReport(local: escaped("--rest: \(error)"))
    }
  }

  var handler: RequestHandler {
    .api(
      bodyLimit: Self.bodyLimit,
      headers: [
        "host", "authorization", "content-type", "x-goog-fieldmask",
        "access-control-request-headers",
      ],
      refuse: { reason in
        switch reason {
        case .tooLarge:
          failure(.invalidArgument, "the request is larger than \(Self.bodyLimit) bytes")
        case .busy: failure(.unavailable, "the requests of all clients are too large together")
        }
      },
      respond: respond)
  }

  private func respond(_ request: HTTPRequest) -> HTTPResponse {
    if request.method == "OPTIONS" { return preflight(request) }
    do {
      var call = HTTPCallRequest(method: request.method, path: request.path)
      call.query = request.query
      call.contentType = request.headers["content-type"]
      call.fieldMask = request.headers["x-goog-fieldmask"]
      call.body = request.body
      let transcoded = try transcoder.call(call)
      let token = request.headers["authorization"].flatMap(BearerToken.init(credentials:))
      let (answer, delay) = self.answer(
        transcoded, token: token?.value ?? transcoded.token, to: request)
      var response: HTTPResponse
      switch answer {
      case .response(let message): response = json(200, try transcoded.json(message))
      case .failure(let status): response = failure(status)
      case .silence, .disconnect: response = HTTPResponse(204)
      }
      response.delivery =
        switch answer {
        case .silence: .never
        case .disconnect: .disconnect
        default: delay > .zero ? .after(delay) : .atOnce
        }
      return response
    } catch let error as TranscodingError {
      return failure(error.status)
    } catch {
      return failure(.internal, "\(error)")
    }
  }

  private func answer(
    _ call: TranscodedCall, token: String?, to request: HTTPRequest
  ) -> (UnaryAnswer, delay: Duration) {
    let served = ServedCall(
      path: call.path, authority: request.headers["host"] ?? "", peer: request.peer)
    return ServedCallObserver.report(served, token: token, call.request, to: observers) {
      fleet.answer(call.path, call.request, token: token)
    }
  }

  private func failure(_ code: StatusCode, _ message: String) -> HTTPResponse {
    failure(RPCStatus(code: Int32(code.rawValue), message: message))
  }

  private func failure(_ status: RPCStatus) -> HTTPResponse {
    let error = transcoder.error(status)
    return json(error.httpStatus, error.json)
  }

  private func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status,
      headers: [
        ("Content-Type", "application/json; charset=UTF-8"), Self.anyOrigin,
      ],
      body: body + Array("\n".utf8))
  }

  /// Pages of all origins may call it, without cookies (Fetch §3.2, CORS).
  private static let anyOrigin = (name: "Access-Control-Allow-Origin", value: "*")

  private func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var headers = [
      Self.anyOrigin, ("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE"),
      ("Access-Control-Max-Age", "600"),
    ]
    // A star would not include Authorization.
    if let names = request.headers["access-control-request-headers"] {
      headers.append(("Access-Control-Allow-Headers", names))
    }
    return HTTPResponse(204, headers: headers)
  }
}
