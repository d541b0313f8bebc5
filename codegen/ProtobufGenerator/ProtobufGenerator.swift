import Foundation
import PackagePlugin

/// Generates Swift for the .proto files of a target, with protoc.
///
/// One command generates all files of the target, because a file may depend on those that it imports. It writes only
/// files that differ, so that only these are compiled again.
@main struct ProtobufGenerator: BuildToolPlugin {
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let configName = "tripwire-protobuf-config.json"

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      throw Failure(description: "ProtobufGenerator: \(target.name) is not a target of Swift code")
    }
    let folder = target.directoryURL
    let protos = target.sourceFiles.map(\.url).filter { $0.pathExtension == "proto" }
    guard !protos.isEmpty else {
      throw Failure(
        description: "ProtobufGenerator: the target \(target.name) has no .proto file: add one to"
          + " \(folder.path), or remove the plugin from the target")
    }
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Generating Swift from the .proto files of \(target.name)",
        executable: try context.tool(named: "generate-protobuf").url,
        arguments: [output.path, folder.path] + (protos + Self.otherInputs(of: folder)).map(\.path),
        inputFiles: protos + Self.otherInputs(of: folder),
        outputFiles: protos.map {
          let path = $0.path.dropFirst(folder.path.count).drop { $0 == "/" }
          let name = path.dropLast(".proto".count).replacingOccurrences(of: "/", with: "_")
          return output.appending(path: name + ".pb.swift")
        })
    ]
  }

  /// Returns the config and the files that it names. The command reports if it is invalid.
  private static func otherInputs(of folder: URL) -> [URL] {
    let config = folder.appending(path: configName)
    guard let text = try? Data(contentsOf: config) else { return [] }
    let object = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any]
    func member(_ object: String, _ key: String, of config: [String: Any]?) -> Any? {
      (config?[object] as? [String: Any])?[key]
    }
    var inputs = [config]
    if let path = member("generatedSource", "serviceConfig", of: object) as? String {
      inputs.append(URL(filePath: path, relativeTo: folder).absoluteURL)
    }
    for path in member("protoc", "importPaths", of: object) as? [String] ?? [] {
      let imports = URL(filePath: path, directoryHint: .isDirectory, relativeTo: folder).absoluteURL
      let files = FileManager.default.enumerator(at: imports, includingPropertiesForKeys: nil)
      inputs += (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "proto" }
    }
    return inputs
  }
}
