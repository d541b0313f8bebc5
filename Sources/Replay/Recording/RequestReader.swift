import FleetEngineAPI
import FleetEngineDeliveryAPI
import Tripwire
import WireProtobuf

/// Reads the requests of the methods of Fleet Engine.
package struct RequestReader: Sendable {
  /// The request and the response of the method.
  let types: [any Message.Type]
  /// Returns nil for bytes that are not a request of the method.
  let form: @Sendable ([UInt8]) -> RequestForm?
  /// Returns the names of the top-level fields in which two requests differ, header and version stamps
  /// included; empty if they are equal or invalid.
  let changes: @Sendable ([UInt8], [UInt8]) -> [String]
  /// Returns the fields in which a request differs from the most similar of some others.
  let differences: @Sendable ([UInt8], [[UInt8]]) -> [RequestDifference]

  /// By the path of the method.
  static let all = FleetMethod.all.mapValues { RequestReader($0) }

  /// Returns the name of the resource in a request, "providers/p/trips/t1"; nil if it has none.
  package static func resource(of request: [UInt8], to path: String) -> String? {
    form(path, request).flatMap { $0.resource.isEmpty ? nil : $0.resource }
  }

  /// Returns nil for an unknown method, and for bytes that are not a request of the method.
  static func form(_ path: String, _ bytes: [UInt8]) -> RequestForm? {
    all[path]?.form(bytes)
  }

  private init(_ method: FleetMethod) {
    self.init(method.requestType, method.responseType, of: method.path)
  }

  private init<Request: AuthorizedRequest>(
    _ type: Request.Type, _ response: any Message.Type, of path: String
  ) {
    // Requests match whatever their version stamps are: a response for other stamps may repeat or leave out
    // parts, but the alternative is an error.
    let ignored = type.fields.fields.filter { field in
      "\(field.name)" == "header" || "\(field.name)".hasSuffix("_version")
    }.map(\.number)
    let created = ResourceKind.allCases.first { $0.path(of: "Create") == path }
    types = [type, response]
    form = { bytes in
      guard let request = try? Request(serializedBytes: bytes) else { return nil }
      var name = request.resourceName
      if let created {
        name += "/\(created.rawValue)/\(request.authorizationContext[created] ?? "")"
      }
      let canonical = Self.withoutInnerHeaders(request).removing(fields: ignored)
      return RequestForm(canonical: canonical, resource: name)
    }
    changes = { RequestDifference.changedFields(type, $0, $1) }
    differences = { RequestDifference.all(type, of: $0, from: $1) }
  }

  private static func withoutInnerHeaders(_ request: some AuthorizedRequest) -> [UInt8] {
    guard var batch = request as? BatchCreateTasksRequest else { return request.serializedBytes() }
    for index in batch.requests.indices { batch.requests[index].header = nil }
    return batch.serializedBytes()
  }
}
