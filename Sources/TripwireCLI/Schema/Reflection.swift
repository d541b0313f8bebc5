import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireGRPC
import WireGRPCClient
import WireGRPCServer

/// Queries a server for its services and types: by grpc.reflection.v1 or, if the server lacks that, by
/// v1alpha, which is the same on the wire.
final class Reflection {
  private let channel: Channel
  private let options: CallOptions
  private let tokens: TokenCache?
  /// The reflection call; nil before its first response.
  private var call: StreamingCall?
  private var isAlpha = false
  /// The received files by name.
  private var files: [String: FileDescriptorProto] = [:]
  /// The file that declares each service. Most servers declare several in a file.
  private var declaring: [String: String] = [:]
  /// The names of files that the server does not have.
  private var missing: Set<String> = []
  private var byteCount = 0

  /// The limits for the descriptors of one server.
  private static let limits = (bytes: 64 << 20, files: 2_000)

  init(_ channel: Channel, _ options: CallOptions, _ tokens: TokenCache?) {
    self.channel = channel
    self.options = options
    self.tokens = tokens
  }

  /// Ends the reflection call, and waits until it has ended.
  func end() async {
    call?.cancel()
    _ = try? await call?.next()
  }

  /// The prefix of the paths of reflection calls.
  static let prefix = "/grpc.reflection."

  /// Returns the full names of all services.
  func services() async throws(CallError) -> [String] {
    var request = ServerReflectionRequest()
    request.messageRequest = .listServices("*")
    guard case .listServicesResponse(let list)? = try await answer(to: request) else {
      throw CallError.transport(.internal, "the reflection service did not list the services")
    }
    return list.service.map(\.name)
  }

  /// Returns the file that declares a symbol and everything that it imports, directly or indirectly;
  /// nil if the server does not know the symbol.
  func files(declaring symbol: String) async throws(CallError) -> [FileDescriptorProto]? {
    var next: [FileDescriptorProto]
    if let file = declaring[symbol].flatMap({ files[$0] }) {
      next = [file]
    } else {
      var request = ServerReflectionRequest()
      request.messageRequest = .fileContainingSymbol(symbol)
      guard let found = try await files(for: request) else { return nil }
      next = found
    }
    var found: [FileDescriptorProto] = []
    var seen: Set<String> = []
    while let file = next.popLast() {
      guard seen.insert(file.name ?? "").inserted else { continue }
      found.append(file)
      for name in file.dependency where !seen.contains(name) && !missing.contains(name) {
        if let file = files[name] {
          next.append(file)
          continue
        }
        var request = ServerReflectionRequest()
        request.messageRequest = .fileByFilename(name)
        // A missing file is not an error: nothing in it may be used.
        let answer = try await files(for: request) ?? []
        next += answer
        if answer.isEmpty { missing.insert(name) }
      }
    }
    return found
  }

  private func files(
    for request: ServerReflectionRequest
  ) async throws(CallError) -> [FileDescriptorProto]? {
    guard case .fileDescriptorResponse(let response)? = try await answer(to: request) else {
      return nil
    }
    var found: [FileDescriptorProto] = []
    for bytes in response.fileDescriptorProto {
      byteCount += bytes.count
      guard byteCount <= Self.limits.bytes, files.count < Self.limits.files else {
        throw CallError.local(
          .resourceExhausted,
          "the reflection service returned more than \(Self.limits.bytes >> 20) MiB of"
            + " descriptors, or more than \(Self.limits.files) files")
      }
      do throws(DecodingError) {
        let file = try FileDescriptorProto(serializedBytes: bytes)
        let name = file.name ?? ""
        // If several files have the same name, the first is used.
        if files[name] == nil {
          files[name] = file
          let package = (file.package ?? "").isEmpty ? "" : (file.package ?? "") + "."
          for service in file.service { declaring[package + (service.name ?? "")] = name }
        }
        found.append(files[name] ?? file)
      } catch {
        throw .invalidDescriptor(error)
      }
    }
    return found
  }

  /// Returns the response; nil for NOT_FOUND.
  private func answer(
    to request: ServerReflectionRequest
  ) async throws(CallError) -> ServerReflectionResponse.MessageResponse? {
    let response =
      if let call {
        try await ask(request, on: call)
      } else {
        try await withToken(of: tokens, on: channel, for: .any, options) {
          attempt throws(CallError) in
          try await begin(with: request, attempt)
        }
      }
    guard case .errorResponse(let error)? = response.messageResponse else {
      return response.messageResponse
    }
    // 5 is NOT_FOUND.
    if error.errorCode == 5 { return nil }
    let code = StatusCode(rawValue: Int(error.errorCode))
    throw CallError(
      code: code == .ok ? .unknown : code, message: error.errorMessage, origin: .server)
  }

  /// Opens the call with v1, or with v1alpha if the server lacks v1, and sends the first request.
  private func begin(
    with request: ServerReflectionRequest, _ attempt: AuthorizedAttempt
  ) async throws(CallError) -> ServerReflectionResponse {
    do throws(CallError) {
      let call = channel.open(
        path: "\(Self.prefix)\(isAlpha ? "v1alpha" : "v1").ServerReflection"
          + "/ServerReflectionInfo", kind: .bidirectional, options: attempt.options,
        refusal: attempt.refusal)
      let response = try await ask(request, on: call)
      self.call = call
      return response
    } catch {
      guard error.code == .unimplemented, !isAlpha else { throw error }
      isAlpha = true
      return try await begin(with: request, attempt)
    }
  }

  private func ask(
    _ request: ServerReflectionRequest, on call: StreamingCall
  ) async throws(CallError) -> ServerReflectionResponse {
    do throws(CallError) {
      try await call.send(request.serializedBytes())
    } catch {
      // The end of the call has the reason.
      _ = try await call.next()
      throw error
    }
    guard let bytes = try await call.next() else {
      throw CallError.transport(
        .internal, "the reflection service closed the stream without a response")
    }
    do throws(DecodingError) {
      return try ServerReflectionResponse(serializedBytes: bytes)
    } catch {
      throw .transport(
        .internal, "the reflection service returned an invalid response: \(error)")
    }
  }
}

extension CallError {
  /// Creates the error for a descriptor that does not decode, or that breaks a rule of the language.
  static func invalidDescriptor(_ error: any Error & CustomStringConvertible) -> CallError {
    var failure = CallError.transport(
      .internal, "the reflection service returned an invalid descriptor: \(error)")
    failure.underlyingError = error
    return failure
  }

  /// Whether the server's descriptors are the cause.
  var isAboutDescriptors: Bool {
    underlyingError is DecodingError || underlyingError is DescriptorError
  }
}
