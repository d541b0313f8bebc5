import CodeGen
import ProtobufDescriptors
import WireProtobuf
import WireSystem

/// A target with .proto files, whose folder is the working directory.
struct ProtobufTarget {
  private static let configLimit = 16 << 20

  private let output: String
  private let config: TargetConfig
  /// The .proto files of the target, relative to its folder.
  private let files: [String]
  /// The files that the build system watches.
  private let inputs: Set<FileIdentity>

  /// - Parameters:
  ///   - output: the folder of the generated files.
  ///   - folder: that of the target.
  ///   - inputs: the .proto files of the target, its config, and files that these may import.
  init(output: String, folder: String, inputs: [String]) throws(GenerationError) {
    self.output = output
    // Relative paths are short in errors, and may have a colon, which separates paths of protoc.
    guard chdir(folder) == 0 else { throw GenerationError("error: \(folder): \(Self.reason())") }
    self.inputs = Set(inputs.compactMap { LocalFile.identity(of: $0) })
    files = inputs.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".proto") }.map {
      String($0.dropFirst(folder.count + 1))
    }
    config =
      LocalFile.exists(TargetConfig.fileName)
      ? try TargetConfig(
        json: Self.contents(TargetConfig.fileName), path: "\(folder)/\(TargetConfig.fileName)")
      : TargetConfig()
  }

  /// Writes the generated files that differ.
  func generate() async throws(GenerationError) {
    var request = CodeGeneratorRequest()
    request.fileToGenerate = files.map(config.protoName)
    request.protoFile = try await descriptors(request.fileToGenerate)
    try checkImports(request)
    let generated = try CodeGenerator.files(for: request, config.options, readFile: Self.contents)
    // protoc has sorted the files by their imports.
    let names = request.protoFile.compactMap(\.name).filter(request.fileToGenerate.contains)
    let contents = Dictionary(zip(names, generated.map { $0.content ?? "" })) { first, _ in first }
    var paths: [String: String] = [:]
    for (file, name) in zip(files, request.fileToGenerate) {
      let path = "\(output)/\(CodeGenerator.fileName(for: file))"
      if let other = paths.updateValue(file, forKey: path) {
        throw GenerationError(
          "error: \(other) and \(file) would have the same generated file: rename one of them")
      }
      try Self.replace(path, with: Array((contents[name] ?? "").utf8))
    }
    for warning in CodeGenerator.warnings(for: request) { complain("warning: \(warning)") }
  }

  // MARK: protoc

  private func descriptors(_ names: [String]) async throws(GenerationError) -> [FileDescriptorProto]
  {
    let result = Locked<[UInt8]>([])
    let protoc = try protoc()
    let end: ChildProcess.End
    do throws(ChildProcess.Failure) {
      end = try await ChildProcess.stream(
        [protoc, "--include_imports", "--include_source_info", "--descriptor_set_out=/dev/stdout"]
          + config.importPaths.map { "-I\($0)" } + names,
        output: { bytes in
          result.withLock { $0 += bytes }
          return true
        },
        error: { _ = write(STDERR_FILENO, $0, $0.count) })
    } catch {
      throw GenerationError("error: cannot run \(protoc): \(error)")
    }
    // protoc has printed the reason.
    guard end == .exited(0) else { exit(1) }
    return try mapError(FileDescriptorSet(serializedBytes: result.withLock { $0 }).file) {
      (error: DecodingError) in GenerationError("error: the output of \(protoc): \(error)")
    }
  }

  private func protoc() throws(GenerationError) -> String {
    if let path = config.protoc ?? Self.variable("PROTOC_PATH") {
      guard LocalFile.exists(path) else {
        throw GenerationError(
          "error: \(path) does not exist: correct "
            + (config.protoc == nil ? "PROTOC_PATH" : "executablePath in \(TargetConfig.fileName)"))
      }
      return path
    }
    guard ExecutablePath.exists("protoc", in: Self.variable("PATH")) else {
      throw GenerationError(
        "error: protoc is not installed: on Debian run apt install protobuf-compiler, on macOS run brew install"
          + " protobuf, or set executablePath in \(TargetConfig.fileName)")
    }
    return "protoc"
  }

  /// SwiftPM asks the plugin for the inputs only if files were added or removed, or the manifest has changed.
  private func checkImports(_ request: CodeGeneratorRequest) throws(GenerationError) {
    for name in request.protoFile.compactMap(\.name) {
      let paths = config.importPaths.lazy.map { "\($0)/\(name)" }
      guard let path = paths.first(where: LocalFile.exists),
        let identity = LocalFile.identity(of: path), !inputs.contains(identity)
      else { continue }
      throw GenerationError(
        "error: SwiftPM does not know yet that \(path) is imported: run touch Package.swift, and build again"
      )
    }
  }

  // MARK: Files

  private static func contents(_ path: String) throws(GenerationError) -> [UInt8] {
    try mapError(LocalFile.contents(of: path, limit: configLimit)) { (error: FileReadError) in
      GenerationError("error: \(path): \(error)")
    }
  }

  /// Writes a file, unless it has these contents already: then nothing is compiled again.
  private static func replace(_ path: String, with bytes: [UInt8]) throws(GenerationError) {
    if (try? LocalFile.contents(of: path, limit: bytes.count)) == bytes { return }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw GenerationError("error: \(path): \(reason())") }
    defer { close(file) }
    guard SystemCalls.write(bytes[...], to: file) == bytes.count else {
      throw GenerationError("error: \(path): \(reason())")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
