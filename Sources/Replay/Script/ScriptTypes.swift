import WireGRPC
import WireProtobuf

/// The types of the messages that a script may have as JSON: the requests and responses of Fleet Engine,
/// and the details of errors.
enum ScriptTypes {
  static let all = TypeRegistry(RequestReader.all.values.flatMap(\.types) + statusDetails)

  private static let statusDetails: [any Message.Type] = [
    ErrorInfo.self, RetryInfo.self, DebugInfo.self, QuotaFailure.self, PreconditionFailure.self,
    BadRequest.self, RequestInfo.self, ResourceInfo.self, Help.self, LocalizedMessage.self,
  ]
}
