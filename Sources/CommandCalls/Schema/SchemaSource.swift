import CommandLine
package import CommandShell
import DynamicProtobuf
package import WireGRPC
package import WireGRPCClient
import WireSystem

/// Finds services and types. With --protoset, those files and then the built-in ones are searched. Without
/// it, a full name of a built-in symbol means that symbol. Any other name is looked up by reflection at the
/// server of --endpoint, and then among the ends of the built-in names.
package final class SchemaSource: Sendable {
  /// The schema of --protoset; nil without that option.
  private let given: Schema?
  /// Whether --endpoint names a server that may have reflection.
  let asksServer: Bool
  let server: Server
  let channel: Channel

  private let warn: @Sendable (String) -> Void
  /// Whether the types are for a call, which itself reports that the server cannot be reached.
  private let isForCall: Bool
  /// By the names of the types.
  private let detailLookups = Locked<[[String]: Task<DetailTypes, Never>]>([:])

  package init(
    _ given: Schema?, _ serverOptions: ServerOptions, _ server: Server, _ channel: Channel,
    isForCall: Bool, warn: @escaping @Sendable (String) -> Void
  ) {
    self.warn = warn
    self.isForCall = isForCall
    self.given = given
    self.server = server
    self.channel = channel
    asksServer = serverOptions.connection.endpoint != nil
  }

  /// Returns all services of the source, with their types.
  package func everything() async throws(ErrorReport) -> Schema {
    if let given { return given }
    guard asksServer else { return try EmbeddedSchema.schema() }
    return try await orBuiltIn { () async throws(ErrorReport) in
      try await reflected(Self.listing) { reflection throws(CallError) in
        let services = try await reflection.services()
        return (services, services)
      }
    } builtIn: {
      $0
    }
  }

  /// Returns the names of the services that the source offers.
  package func services() async throws(ErrorReport) -> [String] {
    guard given == nil, asksServer else { return try await everything().services }
    return try await orBuiltIn { () async throws(ErrorReport) in
      try await withReflection(to: Self.listing) { reflection throws(CallError) in
        try await reflection.services().map(escaped).sorted()
      }
    } builtIn: {
      $0.services
    }
  }

  /// Returns the server's answer, or the built-in one if the server has no reflection and was not named for
  /// this command, but in a profile or a variable.
  private func orBuiltIn<Value>(
    _ body: () async throws(ErrorReport) -> Value, builtIn: (Schema) -> Value
  ) async throws(ErrorReport) -> Value {
    do throws(ErrorReport) {
      return try await body()
    } catch {
      guard error.code == .unimplemented, server.endpointSource.isImplicit else { throw error }
      warn(
        "\(server.endpoint), \(server.endpointSource.option), has no reflection service; showing the"
          + " built-in services")
      return builtIn(try EmbeddedSchema.schema())
    }
  }

  /// Returns the schema in which `find` finds something, or the last one that was searched, and nil.
  ///
  /// - Parameters:
  ///   - names: symbols that may contain it.
  ///   - text: the symbol as the user named it, for errors.
  package func schema<Found>(
    for names: [String], of text: String,
    _ find: (Schema) throws(ErrorReport) -> Found?
  ) async throws(ErrorReport) -> (schema: Schema, found: Found?) {
    if let given { return (given, try find(given)) }
    let embedded = try EmbeddedSchema.schema()
    let isWhole = names.contains { embedded.pool[$0] != nil }
    if isWhole || !asksServer, let found = try find(embedded) { return (embedded, found) }
    guard asksServer else { return (embedded, nil) }
    let schema: Schema
    do throws(ErrorReport) {
      schema = try await reflected(names, of: text)
    } catch {
      // Fleet Engine has no reflection.
      guard !isWhole, let found = try find(embedded) else { throw error }
      // No time is left for the call itself, whose error would have no cause.
      if isForCall, let deadline = server.deadline, deadline <= .now {
        var error = error
        error.message = "the deadline passed before the call started: \(error.message)"
        throw error
      }
      if !isForCall, error.code != .unimplemented {
        warn("\(error.message); showing the built-in \(text)")
      }
      return (embedded, found)
    }
    if let found = try find(schema) { return (schema, found) }
    if !isWhole, let found = try find(embedded) { return (embedded, found) }
    return (schema, nil)
  }

  /// Returns the types of error details, to which the method need not refer. Missing types are looked up once.
  ///
  /// - Parameters:
  ///   - details: of a failed call.
  ///   - schema: has the method.
  package func detailTypes(for details: [ErrorDetail], of schema: Schema) async -> DetailTypes {
    let known = DetailTypes(schema.pool)
    let missing = known.missing(for: details)
    guard case .reflection = schema.origin, !missing.isEmpty else { return known }
    let lookup = detailLookups.withLock { lookups in
      if let lookup = lookups[missing] { return lookup }
      let lookup = Task { await reflected(missing, besides: schema) ?? known }
      lookups[missing] = lookup
      return lookup
    }
    return await withTaskCancellationHandler {
      await lookup.value
    } onCancel: {
      lookup.cancel()
    }
  }

  /// Returns nil if the lookup fails. Its error does not matter: the call has failed.
  private func reflected(_ types: [String], besides schema: Schema) async -> DetailTypes? {
    let found = try? await reflected("look up \(types[0])") { _ throws(CallError) in
      (schema.services, types)
    }
    return found.flatMap { try? EmbeddedSchema.pool(schema.ownFiles + $0.ownFiles) }.map(
      DetailTypes.init)
  }

  // MARK: By reflection

  private static let listing = "list the services"

  private func reflected(
    _ names: [String], of text: String
  ) async throws(ErrorReport) -> Schema {
    try await reflected("look up \(text)") { reflection throws(CallError) in
      let services = try await reflection.services()
      let ends = services.filter { service in
        names.contains { service == $0 || service.hasSuffix("." + $0) }
      }
      // A symbol that is not a service is looked up itself; a method name may be in any service.
      return (services, ends.isEmpty ? names + services : ends)
    }
  }

  /// - Parameter action: the purpose of the calls, for errors: "look up a.S/M".
  private func withReflection<Value>(
    to action: String, _ body: (Reflection) async throws(CallError) -> Value
  ) async throws(ErrorReport) -> Value {
    var options = server.callOptions(nil)
    options.timeout = options.timeout ?? .seconds(15)
    // --max-message-size is for responses; it does not lower the limit for descriptors.
    options.maxReceiveMessageSize = max(
      options.maxReceiveMessageSize, CallOptions.defaultMaxReceiveMessageSize)
    let call = ReflectionCall(channel, options, server.tokens)
    let value: Value
    do throws(CallError) {
      value = try await body(Reflection(call))
    } catch {
      await call.end()
      throw report(error, action)
    }
    await call.end()
    return value
  }

  /// - Parameters:
  ///   - action: the purpose of the calls, for errors: "look up a.S/M".
  ///   - wanted: returns all services, and the symbols whose files are needed.
  private func reflected(
    _ action: String,
    _ wanted: (Reflection) async throws(CallError) -> (services: [String], symbols: [String])
  ) async throws(ErrorReport) -> Schema {
    let (services, files) = try await withReflection(to: action) { reflection throws(CallError) in
      let (services, symbols) = try await wanted(reflection)
      return (services, try await reflection.files(declaring: symbols))
    }
    if let warning = files.warning { warn(warning) }
    do throws(DescriptorError) {
      return Schema(
        pool: try EmbeddedSchema.pool(files.all), origin: .reflection(server.endpoint),
        services: services.map(escaped).sorted(), files: Set(files.names))
    } catch {
      throw report(.invalidDescriptor(error), action)
    }
  }

  private func report(_ error: CallError, _ action: String) -> ErrorReport {
    var report = ErrorReport(error, server.hint(about: .reflection))
    // The user did not name this method. Other errors are about a file, which an option names.
    if report.method != nil {
      let reason = report.message.isEmpty ? "" : ": \(report.message)"
      report.message = "cannot \(action) by reflection\(reason)"
    }
    return report
  }
}
