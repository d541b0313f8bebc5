import CommandCalls
import CommandLine
import CommandShell
import DynamicProtobuf
import Tripwire
import WireSystem

extension ChangeRequest {
  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let start = ContinuousClock.now
    let pool = try EmbeddedSchema.schema().pool
    guard let method = try MethodName.builtIn(path) else {
      throw ErrorReport(local: "\(path) is not built in")
    }
    if let stop = options.stop, let name {
      return try await withInvocation(of: method, pool, console, since: start) {
        (invocation) async throws(ErrorReport) in
        let message = try await request(stop, of: name, method.input, pool, from: invocation.server)
        if options.isDryRun {
          try print(message, console)
        } else {
          try invocation.write(try await invocation.answer(to: message))
        }
      }
    }
    let messages = try await requests(
      of: method, pool, until: options.server.request.timeout.map { start + $0 })
    if options.isDryRun {
      for message in messages { try print(message, console) }
      return .success
    }
    if verb == .delete, !options.isConfirmed {
      guard try await isConfirmed(console) else {
        throw ErrorReport(local: "not deleted: the answer was neither y nor yes")
      }
    }
    return try await withInvocation(of: method, pool, console, since: start) {
      (invocation) async throws(ErrorReport) in
      for (index, message) in messages.enumerated() {
        do throws(ErrorReport) {
          let json = try await invocation.answer(to: message)
          if verb == .create || verb == .update { try invocation.write(json) }
        } catch {
          throw index == 0 ? error : error.ofBatch(after: index * Self.largestBatch)
        }
      }
    }
  }

  private func withInvocation(
    of method: ServiceDescriptor.Method, _ pool: DescriptorPool, _ console: Console,
    since start: ContinuousClock.Instant,
    _ body: @escaping @Sendable (Invocation) async throws(ErrorReport) -> Void
  ) async throws(ErrorReport) -> ExitCode {
    try await options.server.withServer(console, on: nil, since: start) {
      (server) async throws(ErrorReport) -> ExitCode in
      try await body(
        Invocation(
          method: method, pool: pool, options: options.call, fields: responseFields, server: server,
          channel: try server.channel(), console: console, resourceName: name?.description))
      return .success
    }
  }

  private func print(_ message: DynamicMessage, _ console: Console) throws(ErrorReport) {
    let json = try? message.jsonString(
      options: DynamicJSONOptions(pretty: options.call.isIndented(on: console)))
    try console.write(escapedJSON((json ?? "") + "\n"))
  }

  // MARK: Requests

  /// Returns the requests in order: one, or one for each batch of tasks.
  private func requests(
    of method: ServiceDescriptor.Method, _ pool: DescriptorPool,
    until deadline: ContinuousClock.Instant?
  ) async throws(ErrorReport) -> [DynamicMessage] {
    guard let name else { return try await batches(of: method.input, pool, until: deadline) }
    let id = String(name.description.split(separator: "/").last ?? "")
    let parent = "providers/\(providerID)"
    var request = DynamicMessage(method.input, in: pool)
    switch verb {
    case .delete:
      request.set("name", name.description)
    case .reportBillable:
      (request, _) = try await given(method.input, pool, until: deadline)
      let billable = "\(parent)/billableTrips/\(id)"
      try check(request.text(at: "name"), is: billable)
      request.set("name", billable)
    case .update where !options.attributes.isEmpty:
      request = try self.request(options.attributes, of: name, method.input, pool)
    case .create, .update:
      let field = name.kind.field
      guard let holder = method.input[field], case .message(let index) = holder.type else { break }
      var (resource, paths) = try await given(pool.messages[index], pool, until: deadline)
      try check(resource.text(at: "name"), is: name.description)
      resource.set("name", verb == .update ? name.description : "")
      if verb == .create {
        request.set("parent", parent)
        request.set("\(field)_id", id)
      } else {
        // Requests of the first API have the name in a field of their own.
        request.set("name", name.description)
        paths.removeAll { $0 == "name" }
        if paths.isEmpty {
          throw .usage(
            "no fields were given", hint: "pass -d JSON or FIELD=VALUE for each field")
        }
        request.setMask(paths)
      }
      request.set(holder, .message(resource))
    }
    return [request]
  }

  /// Checks the name in the JSON or in the fields. It may be empty.
  private func check(_ given: String, is name: String) throws(ErrorReport) {
    guard !given.isEmpty, given != name else { return }
    throw .usage(
      "the name in the \(fields.isEmpty ? "JSON" : "fields") is \(escaped(given)), not \(escaped(name))",
      hint: fields.isEmpty ? "remove \"name\" from the JSON" : "remove name=\(escaped(given))")
  }

  /// Returns the message of -d and the names of its top-level fields, or the message of FIELD=VALUE and
  /// the paths of its fields.
  private func given(
    _ type: MessageDescriptor, _ pool: DescriptorPool, until deadline: ContinuousClock.Instant?
  ) async throws(ErrorReport) -> (DynamicMessage, [String]) {
    var data = options.call.data
    var paths: [String]?
    if !fields.isEmpty {
      do throws(UsageError) {
        let request = try FieldArguments(of: type, in: pool).request(fields)
        (data, paths) = ([.text(request.json)], request.paths)
      } catch {
        throw ErrorReport(error)
      }
    }
    var requests = try Requests(
      data, of: type, in: pool, ignoresUnknownFields: nil, until: deadline)
    let message = try await requests.only()
    if let paths { return (message, paths) }
    let members = (try? Struct(jsonUTF8Bytes: requests.text))?.fields ?? [:]
    let names = type.fields.filter { members[$0.name] != nil || members[$0.jsonName] != nil }
    return (message, names.map(\.name))
  }

  /// The largest number of tasks of one call.
  private static let largestBatch = 500

  private func batches(
    of type: MessageDescriptor, _ pool: DescriptorPool, until deadline: ContinuousClock.Instant?
  ) async throws(ErrorReport) -> [DynamicMessage] {
    guard let field = type["requests"], case .message(let index) = field.type,
      case let single = pool.messages[index], let holder = single["task"],
      case .message(let task) = holder.type
    else { return [] }
    var tasks = try Requests(
      options.call.data, of: pool.messages[task], in: pool,
      ignoresUnknownFields: nil, until: deadline)
    var batches: [[DynamicMessage]] = []
    var count = 0
    while var task = try await tasks.next() {
      let text = task.text(at: "name")
      guard !text.isEmpty else {
        throw .usage(
          "\(tasks.place): task \(count + 1): the field \"name\" is not set",
          hint: "set \"name\" to the ID of the new task")
      }
      let full = ProviderOption(id: providerID).fullName(
        text.utf8.contains(UInt8(ascii: "/")) ? text : "tasks/\(text)")
      guard let name = try? TaskName(full), name.providerID == providerID else {
        throw .usage(
          "\(tasks.place): task \(count + 1): \(escaped(text)) is not the name of a task of provider"
            + " \(providerID)",
          hint: "set \"name\" to the ID of the new task")
      }
      task.set("name", "")
      var request = DynamicMessage(single, in: pool)
      request.set("task_id", name.taskID)
      request.set(holder, .message(task))
      if count % Self.largestBatch == 0 { batches.append([]) }
      batches[batches.count - 1].append(request)
      count += 1
    }
    if count == 0 { throw .usage("-d contains no tasks") }
    return batches.map { requests in
      var batch = DynamicMessage(type, in: pool)
      batch.set("parent", "providers/\(providerID)")
      batch.set(field, list: requests)
      return batch
    }
  }

  // MARK: Confirmation

  /// Asks on the terminal.
  private func isConfirmed(_ console: Console) async throws(ErrorReport) -> Bool {
    guard console.errorIsTerminal(), isatty(STDIN_FILENO) == 1 else {
      throw .usage(
        "--yes is missing: without a terminal, the deletion cannot be confirmed",
        hint: "add --yes to delete \(escaped(name?.description ?? ""))")
    }
    console.error("delete \(escaped(name?.description ?? ""))? [y/N] ")
    guard let answer = readLine() else {
      console.error("\n")
      return false
    }
    return ["y", "yes"].contains(answer.lowercased())
  }
}

extension ErrorReport {
  /// Returns the failure of a batch of tasks after others that have been created.
  fileprivate func ofBatch(after count: Int) -> ErrorReport {
    var report = self
    report.subject = "the tasks from \(count + 1)"
    report.hint =
      (hint.map { $0 + "; " } ?? "")
      + "requests[0] is task \(count + 1), and the tasks before it have been created"
    return report
  }
}

extension DynamicMessage {
  /// Sets a string field, if the type has it.
  fileprivate mutating func set(_ name: String, _ text: String) {
    if let field = descriptor[name] { set(field, .string(text)) }
  }

  fileprivate mutating func setMask(_ paths: [String]) {
    guard let field = descriptor["update_mask"], case .message(let index) = field.type else {
      return
    }
    let mask = FieldMask(paths: paths)
    guard let message = try? DynamicMessage(mask, as: pool.messages[index], in: pool) else {
      return
    }
    set(field, .message(message))
  }
}

extension MethodName {
  fileprivate static func builtIn(
    _ path: String
  ) throws(ErrorReport) -> ServiceDescriptor.Method? {
    let schema = try EmbeddedSchema.schema()
    return (try? MethodName(path)).flatMap { try? $0.find(in: schema) }?.method
  }
}
