import ProtobufDescriptors
import WireGRPC
import WireGRPCServer

/// Queries a server for its services and types.
final class Reflection {
  private let call: ReflectionCall
  private var received = ReflectedFiles()
  /// The imports of received files that have not been requested.
  private var imports: [String] = []
  private var requested: Set<String> = []
  private var lookedUp: Set<String> = []
  private var byteCount = 0

  /// The limits for the descriptors of one server.
  private static let limits = (bytes: 64 << 20, files: 2_000)

  init(_ call: ReflectionCall) { self.call = call }

  /// Returns the full names of all services.
  func services() async throws(CallError) -> [String] {
    let request = ServerReflectionRequest(messageRequest: .listServices("*"))
    guard case .listServicesResponse(let list)? = try await call.response(to: request) else {
      throw CallError.transport(.internal, "the reflection service did not list the services")
    }
    return list.service.map(\.name)
  }

  /// Returns the files that declare symbols, and everything that they import, directly or indirectly.
  /// Symbols that the server does not know are ignored.
  func files(declaring symbols: [String]) async throws(CallError) -> ReflectedFiles {
    var wanted = symbols
    repeat {
      for symbol in wanted { try await lookUp(symbol) }
      try await requestImports()
      // The server may have the files of missing imports under other names.
      wanted = received.undeclaredTypes.filter { !lookedUp.contains($0) }
    } while !wanted.isEmpty
    return received.relinked()
  }

  private func lookUp(_ symbol: String) async throws(CallError) {
    guard lookedUp.insert(symbol).inserted, !received.declares(symbol) else { return }
    try await requestFiles(.fileContainingSymbol(symbol))
  }

  private func requestImports() async throws(CallError) {
    while let name = imports.popLast() {
      guard received[name] == nil, requested.insert(name).inserted else { continue }
      // A missing file is not an error: nothing in it may be used.
      try await requestFiles(.fileByFilename(name))
    }
  }

  private func requestFiles(
    _ messageRequest: ServerReflectionRequest.MessageRequest
  ) async throws(CallError) {
    let request = ServerReflectionRequest(messageRequest: messageRequest)
    guard case .fileDescriptorResponse(let response)? = try await call.response(to: request) else {
      return
    }
    for bytes in response.fileDescriptorProto {
      byteCount += bytes.count
      guard byteCount <= Self.limits.bytes, received.count < Self.limits.files else {
        throw CallError.local(
          .resourceExhausted,
          "the reflection service returned more than \(Self.limits.bytes >> 20) MiB of"
            + " descriptors, or more than \(Self.limits.files) files")
      }
      do throws(DecodingError) {
        imports += received.insert(try FileDescriptorProto(serializedBytes: bytes))
      } catch {
        throw .invalidDescriptor(error)
      }
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
}
