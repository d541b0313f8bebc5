package import ProtobufDescriptors
import WireProtobuf

/// Generates Swift for a request of protoc.
package enum CodeGenerator {
  package static let version = "0.1.0"

  /// Returns the response to a request. It contains errors of the .proto files or the options, which protoc
  /// prints.
  ///
  /// - Parameter readFile: returns the text of the file at a path, for the service config.
  package static func response(
    to request: CodeGeneratorRequest, readFile: (String) throws(GenerationError) -> [UInt8]
  ) -> CodeGeneratorResponse {
    var response = CodeGeneratorResponse()
    response.supportedFeatures = UInt64(
      CodeGeneratorResponse.Feature.proto3Optional.rawValue)
    do {
      if let name = fileWithEdition(request) { return refusal(ofEditionIn: name) }
      response.file = try files(for: request, Options(request.parameter ?? ""), readFile: readFile)
    } catch {
      response.error = error.description
    }
    return response
  }

  private static func fileWithEdition(_ request: CodeGeneratorRequest) -> String? {
    request.protoFile.first {
      $0.syntax == "editions" && request.fileToGenerate.contains($0.name ?? "")
    }?.name
  }

  /// Claims to support every edition, so that protoc prints this error only, and not its own.
  private static func refusal(ofEditionIn name: String) -> CodeGeneratorResponse {
    // minimum_edition EDITION_PROTO2, maximum_edition EDITION_MAX: fields that this version of
    // plugin.proto lacks.
    let editions: [UInt8] = [0x18, 0xE6, 0x07, 0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0x07]
    var response =
      (try? CodeGeneratorResponse(serializedBytes: editions)) ?? CodeGeneratorResponse()
    let supportsEditions: UInt64 = 2
    response.supportedFeatures =
      UInt64(CodeGeneratorResponse.Feature.proto3Optional.rawValue) | supportsEditions
    response.error = editionError(name).description
    return response
  }

  private static func editionError(_ name: String) -> GenerationError {
    GenerationError(
      "\(name): editions are not supported; replace the edition with syntax = \"proto3\"")
  }

  /// Returns the generated files, in the order of the request's .proto files.
  ///
  /// - Parameter readFile: returns the text of the file at a path, for the service config.
  package static func files(
    for request: CodeGeneratorRequest, _ options: Options,
    readFile: (String) throws(GenerationError) -> [UInt8]
  ) throws(GenerationError) -> [CodeGeneratorResponse.File] {
    if let name = fileWithEdition(request) { throw editionError(name) }
    var config = ServiceConfig()
    if let path = options.serviceConfigPath {
      config = try ServiceConfig(json: try readFile(path), path: path)
    }
    let types = TypeIndex(
      request.protoFile, toGenerate: request.fileToGenerate, prefix: options.prefix)
    let toGenerate = request.protoFile.filter { request.fileToGenerate.contains($0.name ?? "") }
    let registries = SwiftNames.unique(
      toGenerate.enumerated().map { index, file in
        (SwiftNames.registry(of: file.name ?? "", prefix: options.prefix ?? ""), index + 1)
      })
    var files: [CodeGeneratorResponse.File] = []
    var models: [FileModel] = []
    for (descriptor, registry) in zip(toGenerate, registries) {
      var descriptor = descriptor
      if !options.docs { descriptor.sourceCodeInfo = nil }
      let model = try FileModel(descriptor, types: types, config: config, registry: registry)
      models.append(model)
      var file = CodeGeneratorResponse.File()
      file.name = fileName(for: model.protoPath)
      file.content = FilePrinter.text(of: model, options: options)
      files.append(file)
    }
    if let prefix = options.prefix { try checkNames(of: models, prefix) }
    return files
  }

  /// Checks that types of two files do not get the same name, as they lose their packages.
  private static func checkNames(of models: [FileModel], _ prefix: String) throws(GenerationError) {
    var paths: [String: String] = [:]
    for model in models {
      let services = model.services.flatMap { [$0.name, $0.clientName, $0.protocolName] }
      for name in model.messages.map(\.name) + model.enums.map(\.name) + services {
        guard let other = paths.updateValue(model.protoPath, forKey: name) else { continue }
        throw GenerationError(
          "prefix=\(prefix): \(other) and \(model.protoPath) both have a type \(name);"
            + " generate them with different prefixes")
      }
    }
  }

  /// Returns `google_type_latlng.pb.swift` for `google/type/latlng.proto`: a Swift module must not have two
  /// files of the same name, even in different folders.
  package static func fileName(for protoPath: String) -> String {
    let path = protoPath.hasSuffix(".proto") ? String(protoPath.dropLast(6)) : protoPath
    return String(path.map { $0 == "/" ? "_" : $0 }) + ".pb.swift"
  }
}
