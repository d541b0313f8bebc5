import CommandLine
package import DynamicProtobuf
package import ProtobufDescriptors
package import Replay
import WireSystem

/// A server in this process that answers from a recording or a script.
package struct RunningReplay: Sendable {
  private let server: ReplayServer
  /// The names of the files, "stdin" for `-`.
  package let name: String
  /// "127.0.0.1:41234", where it listens.
  package let address: String
  /// "6 calls of 2 methods"
  package var summary: String {
    "\(Units.count(server.callCount, "call")) of \(Units.count(server.methodCount, "method"))"
  }

  /// - Parameters:
  ///   - paths: of gRPC binary logs, or of a script.
  ///   - types: types of the messages of a script; nil for the built-in ones.
  ///   - descriptors: files for reflection besides the built-in ones.
  ///   - option: the option that names the files; nil for operands.
  ///   - deadline: the deadline for loading the files; nil for none.
  ///   - pipeDeadline: the same for pipes and devices, without `deadline`.
  ///   - warn: called for each part of the recording that cannot be used.
  package init(
    of paths: [String], _ configuration: ReplayConfiguration = .init(),
    types: DescriptorPool? = nil, descriptors: [FileDescriptorProto] = [], option: String? = nil,
    until deadline: ContinuousClock.Instant? = nil,
    pipesUntil pipeDeadline: ContinuousClock.Instant? = nil,
    warn: (String) -> Void
  ) async throws(ErrorReport) {
    let source: ReplaySource
    let operand = option ?? "FILE"
    do throws(ReplayError) {
      source = try ReplaySource(
        paths: paths, types: types?.jsonType, until: deadline, pipesUntil: pipeDeadline)
    } catch {
      let isMissing = !paths.allSatisfy { $0 == "-" || LocalFile.exists($0) }
      let prefix = isMissing || option != nil ? operand + ": " : ""
      throw ErrorReport(
        local: escaped(prefix + error.description),
        hint: error.hint.map(escaped)
          ?? ErrorReport.accessHint(for: paths, in: option)
          ?? (option == nil
            ? "pass the path of a recording or of a script: tripwire replay trip.binlog"
            : "pass a recording or a script with \(operand)"),
        error.fileError)
    }
    for warning in source.warnings { warn(warning) }
    var names: [String] = []
    for path in paths where !names.contains(path) { names.append(path) }
    name = names.map(LocalFile.name).joined(separator: ", ")
    var configuration = configuration
    configuration.descriptors = {
      descriptors + EmbeddedSchema.files.map(\.withPlacedComments)
    }
    do throws(ReplayError) {
      server = try ReplayServer(source, configuration)
      for warning in server.warnings { warn("\(name): \(warning)") }
    } catch {
      throw ErrorReport(
        local: escaped("\(option.map { $0 + ": " } ?? "")\(name): \(error)"),
        hint: error.hint.map(escaped))
    }
    do throws(ReplayError) {
      address = "\(try await server.start())"
    } catch {
      throw ErrorReport(
        local: escaped(
          option.map { "\($0): cannot start a server on \(error)" } ?? "cannot listen on \(error)"),
        hint: option == nil ? error.hint : nil)
    }
  }

  package func stop() async { await server.stop() }
}
