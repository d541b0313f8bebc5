import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireGRPC
import WireGRPCClient

/// Finds out what services and types there are. Files given with --protoset count alone. Without them
/// a whole name that the command itself knows is its own; for all else the server that --endpoint
/// names is asked, by reflection, before the command's own names are looked at for one that ends so.
final class SchemaSource: Sendable {
  /// What --protoset names; nil when it was not given.
  private let given: Schema?
  /// Whether there is a server that may know more than Fleet Engine.
  let asksServer: Bool
  let server: Server
  let channel: Channel

  init(
    _ given: Schema?, _ serverOptions: ServerOptions, _ server: Server, _ channel: Channel
  ) {
    self.given = given
    self.server = server
    self.channel = channel
    asksServer = serverOptions.connection.endpoint != nil
  }

  /// All that a source offers, with the types of its services.
  func everything() async throws(ErrorReport) -> Schema {
    if let given { return given }
    guard asksServer else { return try EmbeddedSchema.schema() }
    return try await reflected { reflection throws(CallError) in
      let services = try await reflection.services()
      return (services, services)
    }
  }

  /// The names of the services that a source offers.
  func services() async throws(ErrorReport) -> [String] {
    guard given == nil, asksServer else { return try await everything().services }
    do throws(CallError) {
      return try await reflection().services().map(escaped).sorted()
    } catch {
      throw report(error)
    }
  }

  /// A schema in which `find` finds something; else nil, and what the last source had.
  ///
  /// - Parameter names: symbols that contain what is looked for, by the words of the user.
  func schema<Found>(
    for names: [String], _ find: (Schema) throws(ErrorReport) -> Found?
  ) async throws(ErrorReport) -> (schema: Schema, found: Found?) {
    if let given { return (given, try find(given)) }
    let embedded = try EmbeddedSchema.schema()
    let isWhole = names.contains { embedded.pool[$0] != nil }
    if isWhole || !asksServer, let found = try find(embedded) { return (embedded, found) }
    guard asksServer else { return (embedded, nil) }
    let schema: Schema
    do throws(ErrorReport) {
      schema = try await reflected(names)
    } catch {
      // Fleet Engine has no reflection.
      guard !isWhole, let found = try find(embedded) else { throw error }
      return (embedded, found)
    }
    if let found = try find(schema) { return (schema, found) }
    if !isWhole, let found = try find(embedded) { return (embedded, found) }
    return (schema, nil)
  }

  // MARK: By reflection

  private func reflected(_ names: [String]) async throws(ErrorReport) -> Schema {
    try await reflected { reflection throws(CallError) in
      let services = try await reflection.services()
      let ends = services.filter { service in
        names.contains { service == $0 || service.hasSuffix("." + $0) }
      }
      // A symbol that is no service is asked for as it is; a method alone may be in any service.
      return (services, ends.isEmpty ? names + services : ends)
    }
  }

  private func reflection() -> Reflection {
    var options = server.callOptions(nil)
    options.timeout = options.timeout ?? .seconds(15)
    // A limit that is meant for the answers is none for their types.
    options.maxReceiveMessageSize = max(
      options.maxReceiveMessageSize, CallOptions.defaultMaxReceiveMessageSize)
    return Reflection(channel, options, server.tokens)
  }

  /// - Parameter wanted: all services, and the symbols whose files are asked for.
  private func reflected(
    _ wanted: (Reflection) async throws(CallError) -> (services: [String], symbols: [String])
  ) async throws(ErrorReport) -> Schema {
    let reflection = reflection()
    var files: [String: FileDescriptorProto] = [:]
    let services: [String]
    do throws(CallError) {
      let (all, symbols) = try await wanted(reflection)
      services = all
      for symbol in symbols {
        for file in try await reflection.files(declaring: symbol) ?? [] {
          files[file.name ?? ""] = file
        }
      }
    } catch {
      throw report(error)
    }
    do throws(ErrorReport) {
      return Schema(
        pool: try EmbeddedSchema.pool(files.keys.sorted().compactMap { files[$0] }),
        origin: .reflection(server.endpoint), services: services.map(escaped).sorted(),
        files: Set(files.keys))
    } catch {
      var error = error
      error.message = "the reflection service of \(server.endpoint): \(error.message)"
      throw error
    }
  }

  private func report(_ error: CallError) -> ErrorReport {
    let hint = Hint(endpoint: server.endpoint, subject: .reflection, hasToken: server.isToldWhoAsks)
    return ErrorReport(error, hint: hint.text(for: error))
  }
}
