import ProtobufDescriptors
import Recording
import WireGRPC
import WireProtobuf
import WireServices

/// Tells clients what services the server has, and of what types their messages are: both
/// grpc.reflection.v1 and v1alpha, which say the same on the wire.
struct ReflectionService {
  private static let name = "grpc.reflection.v1.ServerReflection"
  private static let alphaName = "grpc.reflection.v1alpha.ServerReflection"
  static let serviceNames = [name, alphaName]
  static let paths = [name, alphaName].map { "/\($0)/ServerReflectionInfo" }

  /// What is asked may be so long, in bytes: names are not longer.
  static let questionLimit = 16 << 10

  let services: [String]
  let index: DescriptorIndex

  /// - Parameters:
  ///   - calls: those that are replayed; what servers answered in them to such questions is
  ///     answered first.
  ///   - files: what is known otherwise.
  init(services: [String], calls: [RecordedCall], files: [FileDescriptorProto]) {
    self.services = services
    index = DescriptorIndex(Self.recorded(calls) + files + files.compactMap(Self.alpha))
  }

  private static func recorded(_ calls: [RecordedCall]) -> [FileDescriptorProto] {
    calls.filter { paths.contains($0.method) }.flatMap(\.responses)
      .flatMap { response -> [FileDescriptorProto] in
        guard let answer = try? ServerReflectionResponse(serializedBytes: response.bytes),
          case .fileDescriptorResponse(let files)? = answer.messageResponse
        else { return [] }
        return files.fileDescriptorProto.compactMap {
          try? FileDescriptorProto(serializedBytes: $0)
        }
      }
  }

  /// The file of v1alpha, made of that of v1.
  private static func alpha(_ file: FileDescriptorProto) -> FileDescriptorProto? {
    guard file.package == "grpc.reflection.v1" else { return nil }
    let prefix = ".grpc.reflection.v1."
    func renamed(_ type: String?) -> String? {
      guard let type, type.hasPrefix(prefix) else { return type }
      return ".grpc.reflection.v1alpha." + type.dropFirst(prefix.count)
    }
    var alpha = file
    alpha.name = "grpc/reflection/v1alpha/reflection.proto"
    alpha.package = "grpc.reflection.v1alpha"
    for type in alpha.messageType.indices {
      for field in alpha.messageType[type].field.indices {
        alpha.messageType[type].field[field].typeName =
          renamed(alpha.messageType[type].field[field].typeName)
      }
    }
    for service in alpha.service.indices {
      for method in alpha.service[service].method.indices {
        let input = alpha.service[service].method[method].inputType
        let output = alpha.service[service].method[method].outputType
        alpha.service[service].method[method].inputType = renamed(input)
        alpha.service[service].method[method].outputType = renamed(output)
      }
    }
    return alpha
  }
}

/// One stream of questions and answers.
struct Reflection {
  private let service: ReflectionService
  /// The files that the client was told.
  private var told: Set<Int> = []

  init(_ service: ReflectionService) {
    self.service = service
  }

  /// The answer to a question, in its frame.
  mutating func answer(_ question: [UInt8]) throws(Refusal) -> [UInt8] {
    let request: ServerReflectionRequest
    do throws(DecodingError) {
      request = try ServerReflectionRequest(serializedBytes: question)
    } catch {
      throw Refusal(.invalidArgument, "\(error)".shortened(to: 200))
    }
    var response = ServerReflectionResponse()
    response.validHost = request.host
    response.originalRequest = request
    response.messageResponse = answer(to: request.messageRequest)
    do throws(CallError) {
      return try MessageFramer.frame(response.serializedBytes())
    } catch {
      throw Refusal(error.code, error.message)
    }
  }

  private mutating func answer(
    to question: ServerReflectionRequest.MessageRequest?
  ) -> ServerReflectionResponse.MessageResponse {
    let index = service.index
    switch question {
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
      var response = ExtensionNumberResponse()
      response.baseTypeName = type
      response.extensionNumber = numbers
      return .allExtensionNumbersResponse(response)
    case .listServices:
      var response = ListServiceResponse()
      response.service = service.services.map { name in
        var service = ServiceResponse()
        service.name = name
        return service
      }
      return .listServicesResponse(response)
    case nil:
      return failure(.invalidArgument, "the request is empty")
    }
  }

  /// The file asked for, and what it imports as far as the client was not told yet.
  private mutating func files(
    from file: Int?, _ kind: String, _ name: String
  ) -> ServerReflectionResponse.MessageResponse {
    guard let file else { return missing(kind, name) }
    var response = FileDescriptorResponse()
    for index in service.index.closure(of: file) {
      if told.insert(index).inserted || index == file {
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
    var error = ErrorResponse()
    error.errorCode = Int32(code.rawValue)
    error.errorMessage = message
    return .errorResponse(error)
  }
}
