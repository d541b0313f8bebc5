package import ProtobufDescriptors
import WireProtobuf

/// Turns what protoc asks into Swift.
package enum CodeGenerator {
  /// That of the whole package.
  package static let version = "0.1.0"

  /// Answers a request; faults of the .proto files or the options are in the response, for
  /// protoc to print.
  ///
  /// - Parameter readFile: gives the text of the file at a path, for the service config.
  package static func response(
    to request: CodeGeneratorRequest, readFile: (String) throws(GenerationError) -> [UInt8]
  ) -> CodeGeneratorResponse {
    var response = CodeGeneratorResponse()
    response.supportedFeatures = UInt64(
      CodeGeneratorResponse.Feature.proto3Optional.rawValue)
    do {
      response.file = try files(for: request, readFile: readFile)
    } catch {
      response.error = error.description
    }
    return response
  }

  private static func files(
    for request: CodeGeneratorRequest, readFile: (String) throws(GenerationError) -> [UInt8]
  ) throws(GenerationError) -> [CodeGeneratorResponse.File] {
    let options = try Options(request.parameter ?? "")
    var config = ServiceConfig()
    if let path = options.serviceConfigPath {
      config = try ServiceConfig(json: try readFile(path), path: path)
    }
    let types = TypeIndex(request.protoFile)
    var files: [CodeGeneratorResponse.File] = []
    for descriptor in request.protoFile
    where request.fileToGenerate.contains(descriptor.name ?? "") {
      var descriptor = descriptor
      if !options.docs { descriptor.sourceCodeInfo = nil }
      let model = try FileModel(descriptor, types: types, config: config)
      var file = CodeGeneratorResponse.File()
      file.name = fileName(for: model.protoPath)
      file.content = FilePrinter.text(of: model, options: options)
      files.append(file)
    }
    return files
  }

  /// `google/type/latlng.proto` -> `google_type_latlng.pb.swift`: a Swift module may not have two
  /// files of one name, wherever they are.
  static func fileName(for protoPath: String) -> String {
    let path = protoPath.hasSuffix(".proto") ? String(protoPath.dropLast(6)) : protoPath
    return String(path.map { $0 == "/" ? "_" : $0 }) + ".pb.swift"
  }
}
