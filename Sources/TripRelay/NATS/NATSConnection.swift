import CNats
import RelayAPI
import WireSystem

/// A connection to NATS that the library restores by itself.
///
/// `@unchecked Sendable`: libnats locks the connection in each of its functions, and the pointer never
/// changes.
@safe final class NATSConnection: @unchecked Sendable {
  enum Event: Sendable {
    case disconnected
    case reconnected
    /// The library gave up: the server refuses the credentials.
    case closed(NATSError)
    /// The server refused a subject or dropped messages.
    case error(NATSError)
  }

  /// In bytes: of a file with certificates, a key or credentials.
  private static let longestFile = 1 << 20

  private let pointer: OpaquePointer

  /// Connects. Blocks the calling thread, up to some seconds.
  ///
  /// - Parameter handler: called on threads of the library, for one event at a time.
  init(
    blocking options: NATSOptions, handler: @escaping @Sendable (Event) -> Void
  ) throws(NATSError) {
    var settings: OpaquePointer?
    try unsafe Self.check(natsOptions_Create(&settings), "prepare a connection")
    defer { unsafe natsOptions_Destroy(settings) }
    try unsafe Self.configure(settings, options)
    let box = unsafe Unmanaged.passRetained(EventHandler(handler))
    let user = unsafe box.toOpaque()
    unsafe natsOptions_SetDisconnectedCB(
      settings, { _, user in unsafe eventHandler(user)?.call(.disconnected) }, user)
    unsafe natsOptions_SetReconnectedCB(
      settings, { _, user in unsafe eventHandler(user)?.call(.reconnected) }, user)
    unsafe natsOptions_SetErrorHandler(
      settings,
      { connection, _, status, user in
        unsafe eventHandler(user)?.call(.error(asyncError(connection, status)))
      }, user)
    // The last callback of a connection.
    unsafe natsOptions_SetClosedCB(
      settings,
      { connection, user in
        guard let user = unsafe user else { return }
        let box = unsafe Unmanaged<EventHandler>.fromOpaque(user)
        unsafe box.takeUnretainedValue().call(.closed(closeReason(connection)))
        unsafe box.release()
      }, user)
    var connection: OpaquePointer?
    let status = unsafe natsConnection_Connect(&connection, settings)
    guard status == NATS_OK, let connection = unsafe connection else {
      unsafe box.release()
      throw Self.connectError(status, options)
    }
    unsafe pointer = unsafe connection
  }

  deinit {
    unsafe natsConnection_Close(pointer)
    unsafe natsConnection_Destroy(pointer)
  }

  /// Closes the connection after sending what was published.
  func close() {
    _ = unsafe natsConnection_FlushTimeout(pointer, 500)
    unsafe natsConnection_Close(pointer)
  }

  /// The largest message in bytes that the server accepts, with its headers.
  var maxPayload: Int { unsafe Int(natsConnection_GetMaxPayload(pointer)) }

  func publish(_ message: NATSMessage) throws(NATSError) {
    let message = try OwnedMessage(message)
    let status = unsafe natsConnection_PublishMsg(pointer, message.pointer)
    guard status != NATS_OK else { return }
    switch status {
    case NATS_MAX_PAYLOAD:
      throw NATSError(.tooLarge, "the message is larger than the max_payload of NATS")
    case NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED, NATS_INSUFFICIENT_BUFFER:
      throw NATSError(.disconnected, "NATS is not connected")
    default: try Self.check(status, "publish")
    }
  }

  /// Calls `handler` for each message of a subject, on a thread of the library, one at a time.
  func subscribe(
    _ subject: String, _ handler: @escaping @Sendable (NATSMessage) -> Void
  ) throws(NATSError) -> NATSSubscription {
    let box = unsafe Unmanaged.passRetained(Handler<NATSMessage>(handler))
    do throws(NATSError) {
      let subscription = try unsafe subscribed(subject) { subscription in
        unsafe natsConnection_Subscribe(
          &subscription, pointer, subject,
          { _, _, message, user in
            unsafe receive(message, user)
          }, box.toOpaque())
      }
      return unsafe NATSSubscription(subscription, box)
    } catch {
      unsafe box.release()
      throw error
    }
  }

  /// Collects the messages of a subject until they are taken.
  func queue(_ subject: String) throws(NATSError) -> NATSMessageQueue {
    try unsafe NATSMessageQueue(
      subscribed(subject) { unsafe natsConnection_SubscribeSync(&$0, pointer, subject) })
  }

  private func subscribed(
    _ subject: String, _ subscribe: (inout OpaquePointer?) -> natsStatus
  ) throws(NATSError) -> OpaquePointer {
    var subscription: OpaquePointer?
    try unsafe Self.check(subscribe(&subscription), "subscribe to \(subject)")
    guard let subscription = unsafe subscription else {
      throw NATSError(.other, "cannot subscribe to \(subject)")
    }
    // A reader that is behind for some seconds must not lose messages.
    unsafe natsSubscription_SetPendingLimits(subscription, -1, 256 << 20)
    return unsafe subscription
  }

  // MARK: Options

  private static func configure(
    _ settings: OpaquePointer?, _ options: NATSOptions
  ) throws(NATSError) {
    var servers = unsafe options.servers.map { url in
      unsafe UnsafePointer<CChar>(strdup(url.text))
    }
    defer {
      for index in 0..<options.servers.count {
        unsafe free(UnsafeMutablePointer(mutating: servers[index]))
      }
    }
    try unsafe check(
      natsOptions_SetServers(settings, &servers, Int32(servers.count)),
      "use the address \(options.shownURL)")
    unsafe natsOptions_SetName(settings, options.name)
    unsafe natsOptions_SetTimeout(settings, 5_000)
    unsafe natsOptions_SetMaxReconnect(settings, -1)
    unsafe natsOptions_SetReconnectWait(settings, 500)
    unsafe natsOptions_SetReconnectJitter(settings, 200, 200)
    unsafe natsOptions_SetPingInterval(settings, 5_000)
    unsafe natsOptions_SetMaxPingsOut(settings, 2)
    // One thread delivers the messages of all subscriptions.
    unsafe natsOptions_UseGlobalMessageDelivery(settings, true)
    if let file = options.credentialsFile {
      try check(file, in: "--nats-creds")
      try unsafe check(
        natsOptions_SetUserCredentialsFromFiles(settings, file, nil),
        "use the credentials in \(file)")
    }
    guard options.requiresTLS else { return }
    try unsafe check(natsOptions_SetSecure(settings, true), "use TLS")
    if let file = options.trustFile {
      try check(file, in: "--nats-ca")
      try unsafe check(
        natsOptions_LoadCATrustedCertificates(settings, file),
        "use the certificates in \(file)", hint: RelayHint.badTrustFile)
    }
    if let file = options.certificateFile {
      let key = options.keyFile ?? file
      try check(file, in: "--nats-cert")
      try check(key, in: "--nats-key")
      try unsafe check(
        natsOptions_LoadCertificatesChain(settings, file, key),
        "use the certificate in \(file) with the key in \(key)",
        hint: RelayHint.badCertificate)
    }
  }

  /// Checks a file that libnats reads without a limit, and may read again at a reconnection.
  private static func check(_ file: String, in option: String) throws(NATSError) {
    let size: Int?
    do throws(IOError) {
      size = try LocalFile(file).size
    } catch {
      throw NATSError(
        .other, "\(option): cannot read \(file): \(error.code)",
        hint:
          "check the \(error.code == .accessDenied ? "permissions of the file" : "path") in \(option)"
      )
    }
    guard let size else {
      throw NATSError(
        .other, "\(option): \(file) is not a regular file", hint: "pass a regular file in \(option)"
      )
    }
    guard size <= longestFile else {
      let error = FileReadError.tooLarge(limit: longestFile)
      throw NATSError(
        .other, "\(option): \(file): \(error)", hint: "check that \(option) names the right file")
    }
  }

  // MARK: Errors

  private static func check(
    _ status: natsStatus, _ action: String, hint: String? = nil
  ) throws(NATSError) {
    guard status != NATS_OK else { return }
    throw NATSError(.other, "cannot \(action): \(reason(status))", hint: hint)
  }

  private static func connectError(_ status: natsStatus, _ options: NATSOptions) -> NATSError {
    let start = "cannot connect to NATS at \(options.shownURL): "
    let message = start + reason(status)
    return switch status {
    case NATS_NO_SERVER:
      options.resolverErrors.map {
        NATSError(.unreachable, start + $0, hint: RelayHint.unknownHost)
      } ?? NATSError(.unreachable, message)
    case NATS_CONNECTION_AUTH_FAILED: NATSError(.notAuthorized, message)
    case NATS_ERR where options.credentialsFile != nil: NATSError(.notAuthorized, message)
    case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED:
      NATSError(
        .notAuthorized, message,
        hint: message.contains("self-signed certificate")
          || message.contains("unable to get local issuer certificate")
          ? RelayHint.untrustedCertificate : RelayHint.refusedTLS)
    case NATS_SECURE_CONNECTION_WANTED:
      NATSError(
        .notAuthorized, message,
        hint: options.servers.contains(where: \.requiresTLS)
          ? RelayHint.noTLS : RelayHint.noTLSForFiles)
    case NATS_PROTOCOL_ERROR, NATS_IO_ERROR:
      NATSError(.unreachable, message, hint: RelayHint.closedConnection)
    case NATS_INVALID_ARG, NATS_ADDRESS_MISSING:
      NATSError(.other, message, hint: "use an address such as nats://127.0.0.1:4222")
    default: NATSError(.unreachable, message)
    }
  }

  /// Why the last function that this thread called failed, in the words of the library where they say
  /// more than the status.
  private static func reason(_ status: natsStatus) -> String {
    switch status {
    case NATS_SSL_ERROR, NATS_ERR: break
    case NATS_PROTOCOL_ERROR, NATS_IO_ERROR:
      return "the server closed the connection, or is not NATS"
    case NATS_NO_SERVER: return "no server accepts the connection"
    case NATS_CONNECTION_CLOSED: return "the server closed the connection"
    default: return text(status)
    }
    guard let detail = unsafe nats_GetLastError(nil) else { return text(status) }
    // "(conn.c:733): SSL handshake error: 18:self-signed certificate:depth=0:cert=…"
    let words = unsafe String(cString: detail).split(separator: ":").map {
      String($0.drop { $0 == " " })
    }
    guard words.count > 2, words[0].hasPrefix("(") else { return text(status) }
    guard words.count > 4, words[2] == "SSL handshake error" else {
      return words.dropFirst(2).joined(separator: ": ")
    }
    return "the TLS handshake failed: \(words[4])"
  }

  /// The library's name of a status: "Authentication Violation".
  static func text(_ status: natsStatus) -> String {
    unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) }
      ?? "status \(status.rawValue)"
  }
}

// MARK: - Callbacks

/// A closure to which a callback of the library has a pointer.
final class Handler<Value>: Sendable {
  let call: @Sendable (Value) -> Void
  init(_ call: @escaping @Sendable (Value) -> Void) { self.call = call }
}

private typealias EventHandler = Handler<NATSConnection.Event>

private func eventHandler(_ user: UnsafeMutableRawPointer?) -> EventHandler? {
  unsafe user.map { unsafe Unmanaged<EventHandler>.fromOpaque($0).takeUnretainedValue() }
}

private func asyncError(_ connection: OpaquePointer?, _ status: natsStatus) -> NATSError {
  var detail: UnsafePointer<CChar>?
  _ = unsafe natsConnection_GetLastError(connection, &detail)
  let text = unsafe detail.map { unsafe String(cString: $0) } ?? ""
  if status == NATS_NOT_PERMITTED || text.lowercased().contains("permissions violation") {
    // "Permissions Violation for Publish to "orders.new""
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return NATSError(
      .notPermitted, text, subject: parts.count > 1 ? String(parts[1]) : nil,
      isRefusedSubscription: parts[0].lowercased().contains("for subscription"))
  }
  if status == NATS_SLOW_CONSUMER {
    return NATSError(.other, "NATS messages were dropped: they arrived faster than they were read")
  }
  return NATSError(.other, "NATS: \(text.isEmpty ? NATSConnection.text(status) : text)")
}

private func closeReason(_ connection: OpaquePointer?) -> NATSError {
  var detail: UnsafePointer<CChar>?
  let status = unsafe natsConnection_GetLastError(connection, &detail)
  let text = unsafe detail.map { unsafe String(cString: $0) } ?? NATSConnection.text(status)
  return NATSError(
    status == NATS_CONNECTION_AUTH_FAILED ? .notAuthorized : .disconnected,
    "the connection to NATS is closed: \(text)")
}

private func receive(_ message: OpaquePointer?, _ user: UnsafeMutableRawPointer?) {
  guard let message = unsafe message, let user = unsafe user else { return }
  let copy = unsafe NATSMessage(copying: message)
  unsafe DiscardedMessages.add(message)
  unsafe Unmanaged<Handler<NATSMessage>>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.call(copy) }
}

extension NATSMessage {
  init(copying message: OpaquePointer) {
    self.init(unsafe natsMsg_GetSubject(message).map { unsafe String(cString: $0) } ?? "")
    reply = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) }
    let count = unsafe Int(natsMsg_GetDataLength(message))
    if let bytes = unsafe natsMsg_GetData(message), count > 0 {
      data = unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
        unsafe [UInt8](UnsafeBufferPointer(start: $0, count: count))
      }
    }
    var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var nameCount: Int32 = 0
    guard unsafe natsMsgHeader_Keys(message, &names, &nameCount) == NATS_OK,
      let names = unsafe names
    else { return }
    defer { unsafe free(names) }
    for index in 0..<Int(nameCount) {
      var value: UnsafePointer<CChar>?
      guard let name = unsafe names[index],
        unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK,
        let value = unsafe value
      else { continue }
      headers[unsafe String(cString: name)] = unsafe String(cString: value)
    }
  }
}

/// A message in the library's memory.
@safe private struct OwnedMessage: ~Copyable {
  let pointer: OpaquePointer

  init(_ message: NATSMessage) throws(NATSError) {
    var pointer: OpaquePointer?
    let status = unsafe message.data.withUnsafeBytes { bytes in
      unsafe natsMsg_Create(
        &pointer, message.subject, message.reply,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
    }
    guard status == NATS_OK, let pointer = unsafe pointer else {
      throw NATSError(.other, "cannot make a message: \(NATSConnection.text(status))")
    }
    unsafe self.pointer = unsafe pointer
    for (name, value) in message.headers {
      _ = unsafe natsMsgHeader_Set(pointer, name, value)
    }
  }

  deinit {
    unsafe DiscardedMessages.add(pointer)
  }
}
