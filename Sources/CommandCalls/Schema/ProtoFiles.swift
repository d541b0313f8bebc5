import CommandLine
package import CommandShell
import ProtobufDescriptors
import Tripwire
import WireSystem

/// The types of `.proto` files, which the installed `protoc` compiles.
package struct ProtoFiles: Sendable {
  var files: [String] = []
  /// The folders of imported files.
  var folders: [String] = []

  /// - Parameter deadline: when to stop protoc; nil stops it after a minute.
  func schema(until deadline: ContinuousClock.Instant?) async throws(ErrorReport) -> Schema {
    let output: ChildProcess.Output
    do throws(ChildProcess.Failure) {
      output = try await ChildProcess.run(
        arguments, limit: Schema.fileSetLimit,
        timeout: deadline.map { max(.zero, $0 - .now) } ?? .seconds(60))
    } catch {
      throw failure(error)
    }
    guard output.end == .exited(0) else {
      let text = String(decoding: output.standardError, as: UTF8.self)
      var fault = fault(in: text)
      if let edition = editionAtFault(in: text), let version = await Self.version() {
        fault.hint = "install a newer protoc: \(version) does not support edition \(edition)"
      }
      throw fault
    }
    let set = try mapError(FileDescriptorSet(serializedBytes: output.standardOutput)) {
      (error: DecodingError) in
      ErrorReport(local: "--proto: protoc did not write a FileDescriptorSet: \(error)")
    }
    var schema = try Schema(set.file, of: files, option: "--proto", hint: nil)
    // The services are those of the named files. protoc names files by their path below a folder.
    let named = set.file.map { $0.name ?? "" }.filter { name in
      files.contains { $0 == name || $0.hasSuffix("/" + name) }
    }
    schema.offer(onlyServicesOf: Set(named))
    return schema
  }

  /// Warnings about folders, which protoc ignores.
  package var warnings: [String] {
    folders.compactMap { folder in LocalFile.directoryFault(folder).map { "-I \(folder): \($0)" } }
  }

  /// Returns the paths that protoc tries for files with these names.
  package func paths(of names: [String]) -> [String] {
    files.isEmpty ? [] : searchedFolders.flatMap { folder in names.map { "\(folder)/\($0)" } }
  }

  private var searchedFolders: [String] {
    let given = folders.isEmpty ? ["."] : folders
    let others = files.filter { file in
      !given.contains { Self.contains($0, file) } && LocalFile.exists(file)
    }
    // First, because protoc refuses a file that an earlier folder has, too.
    return others.map(Self.folder) + given
  }

  private var arguments: [String] {
    ["protoc", "--include_imports", "--include_source_info"]
      + searchedFolders.map { "--proto_path=" + $0 } + ["--descriptor_set_out=/dev/stdout"]
      + files.map { $0.hasPrefix("-") || $0.hasPrefix("@") ? "./" + $0 : $0 }
  }

  /// Whether protoc finds the file in the folder: it compares the paths as text.
  private static func contains(_ folder: String, _ file: String) -> Bool {
    if folder == "." || folder == "./" { return !file.hasPrefix("/") && !file.mentions("../") }
    return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private static func folder(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  package static let timeout = ErrorReport(
    local: "--proto: protoc did not end in time and was killed", hint: FileReadError.tooLate.hint,
    .tooLate)

  private func failure(_ failure: ChildProcess.Failure) -> ErrorReport {
    switch failure {
    case .notStarted(let error) where error.code == .noSuchFile:
      ErrorReport(
        local: "--proto: protoc is not installed",
        hint: "install protobuf-compiler (apt install protobuf-compiler, brew install protobuf)")
    case .notStarted(let error):
      ErrorReport(
        local: "--proto: protoc cannot be started: \(error.code)",
        hint: "check that you can run protoc: protoc --version")
    case .timedOut: Self.timeout
    case .tooLong:
      ErrorReport(
        local: "--proto: the descriptors are larger than \(Schema.fileSetLimit >> 20) MiB",
        hint: "pass only the files that the call needs with --proto")
    case .canceled: .interrupted(by: SIGINT)
    }
  }

  private static let shownLines = 5
  /// Parts of protoc's warnings that are not shown.
  private static let ignored = ["[libprotobuf WARNING", ": warning: directory does not exist"]

  /// - Parameter text: protoc's errors, one a line: `greeter.proto:3:1: Expected ";".`
  private func fault(in text: String) -> ErrorReport {
    let lines = text.split(separator: "\n").map { escaped(String($0)) }
      .filter { line in !Self.ignored.contains(where: line.mentions) }
    let hint =
      if text.mentions("No such file") {
        "check the path in --proto"
      } else if text.mentions("is a directory") {
        "pass a .proto file, not a directory, with --proto"
      } else if text.mentions("File not found") || text.mentions("--proto_path") {
        "name the folder that contains the imported files with -I DIR"
      } else {
        "correct the .proto file"
      }
    var report = ErrorReport(
      local: "--proto: protoc: " + (lines.first ?? "failed without a message"), hint: hint)
    report.excerpt = Array(lines.dropFirst().prefix(Self.shownLines))
    return report
  }

  /// Returns the edition of the file whose first error is in its edition statement, "2023"; nil for other
  /// errors.
  private func editionAtFault(in text: String) -> String? {
    let errors = text.split(separator: "\n").map { $0.split(separator: ":") }
    guard let place = errors.first(where: { $0.count > 3 && Int($0[1]) != nil }),
      let number = Int(place[1])
    else { return nil }
    let paths = [String(place[0])] + folders.map { "\($0)/\(place[0])" } + files
    for path in paths where path.hasSuffix(String(place[0])) {
      guard
        let bytes = try? LocalFile.contents(
          of: path, limit: 1 << 20, until: .now + LocalFile.defaultTimeout)
      else { continue }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard lines.indices.contains(number - 1) else { continue }
      let words = String(decoding: lines[number - 1], as: UTF8.self).split(separator: "\"")
      guard words.count > 1, words[0].split(separator: " ").first == "edition" else { continue }
      return escaped(String(words[1]))
    }
    return nil
  }

  /// Returns the version of the installed protoc, "libprotoc 3.21.12".
  private static func version() async -> String? {
    let output = try? await ChildProcess.run(
      ["protoc", "--version"], limit: 1 << 10, timeout: .seconds(10))
    return output.map { output in
      String(decoding: output.standardOutput.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }

  static let options: [Option<ProtoFiles>] = [
    .value(
      "proto", "FILE", .request,
      "read types from this .proto file (repeatable)\nRuns protoc, which must be installed.",
      parse: Parse.text, store: { $0.files.append($1) }
    ).excluding(["protoset"]),
    .value(
      "import-path", short: "I", "DIR", .request,
      "search this folder for imports of --proto (repeatable)\nDefault: the current folder. The"
        + " folder of a --proto file is also searched if the file is in none of these folders.",
      parse: Parse.text, store: { $0.folders.append($1) }
    ).requiring("proto"),
  ]
}
