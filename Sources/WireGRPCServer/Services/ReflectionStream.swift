import WireGRPC
import WireProtobuf

/// The state of one reflection stream.
struct ReflectionStream {
  private let service: ReflectionService
  /// The files that were sent on this stream.
  private var sentFiles: Set<Int> = []

  init(_ service: ReflectionService) {
    self.service = service
  }

  /// Returns the framed response to a request.
  mutating func response(to message: [UInt8]) throws(Refusal) -> [UInt8] {
    let request = try mapError(ServerReflectionRequest(serializedBytes: message)) {
      (error: DecodingError) in
      Refusal(.invalidArgument, "\(error)".shortened(to: 200))
    }
    let response = ServerReflectionResponse(
      validHost: request.host, originalRequest: request,
      messageResponse: self.response(to: request.messageRequest))
    return try mapError(MessageFramer.frame(response.serializedBytes())) { (error: CallError) in
      Refusal(error.code, error.message)
    }
  }

  private mutating func response(
    to request: ServerReflectionRequest.MessageRequest?
  ) -> ServerReflectionResponse.MessageResponse {
    let index = service.index
    switch request {
    case .fileByFilename(let name):
      return files(from: index.file(named: name), "file", name)
    case .fileContainingSymbol(let symbol):
      return files(from: index.file(declaring: symbol), "symbol", symbol)
    case .fileContainingExtension(let wanted):
      return files(
        from: index.file(extending: wanted.containingType, by: wanted.extensionNumber),
        "extension \(wanted.extensionNumber) of", wanted.containingType)
    case .allExtensionNumbersOfType(let type):
      guard let numbers = index.extensionNumbers(of: type) else { return missing("type", type) }
      let response = ExtensionNumberResponse(baseTypeName: type, extensionNumber: numbers)
      return .allExtensionNumbersResponse(response)
    case .listServices:
      let response = ListServiceResponse(
        service: service.services.map { name in
          ServiceResponse(name: name)
        })
      return .listServicesResponse(response)
    case nil:
      return failure(.invalidArgument, "the request is empty")
    }
  }

  /// The file, and those of its imports that were not sent yet.
  private mutating func files(
    from file: Int?, _ kind: String, _ name: String
  ) -> ServerReflectionResponse.MessageResponse {
    guard let file else { return missing(kind, name) }
    var response = FileDescriptorResponse()
    for index in service.index.closure(of: file) {
      if sentFiles.insert(index).inserted || index == file {
        response.fileDescriptorProto.append(service.index.bytes(of: index))
      }
    }
    return .fileDescriptorResponse(response)
  }

  private func missing(
    _ kind: String, _ name: String
  ) -> ServerReflectionResponse.MessageResponse {
    failure(.notFound, "\(kind) \(name.shortened(to: 200)) is not known")
  }

  private func failure(
    _ code: StatusCode, _ message: String
  ) -> ServerReflectionResponse.MessageResponse {
    .errorResponse(ErrorResponse(errorCode: Int32(code.rawValue), errorMessage: message))
  }
}
