import Recording
import WireGRPC

/// Masks the credentials of each call's request headers in the other entries of the call: a server may
/// repeat them. tripwire records none, but other programs do.
package struct EchoedCredentials {
  /// Prepares each credential once: most calls have that of the call before.
  private let redactor = CredentialRedactor()
  private var credentials = OpenCalls<[Credential]>()
  /// The header of the last call, and its credentials.
  private var last: (header: BinlogMetadata, credentials: [Credential])?

  package init() {}

  /// Returns the entry without credentials that an earlier entry of its call has.
  package mutating func masked(_ logged: LoggedEntry) -> LoggedEntry {
    if case .clientHeader(let header) = logged.value.payload {
      note(header.metadata, of: logged.call.number)
      return logged
    }
    guard let credentials = credentials[logged.call.number] else { return logged }
    _ = self.credentials.end(at: logged)
    var entry = logged.value
    switch entry.payload {
    case .serverHeader(var header):
      credentials.redact(&header.metadata)
      entry.payload = .serverHeader(header)
    case .message(var message):
      credentials.redact(&message.data)
      entry.payload = .message(message)
    case .trailer(var trailer):
      trailer.statusMessage = credentials.redacted(trailer.statusMessage)
      credentials.redact(&trailer.statusDetails)
      credentials.redact(&trailer.metadata)
      entry.payload = .trailer(trailer)
    case .clientHeader, nil: break
    }
    return LoggedEntry(entry, of: logged.call)
  }

  private mutating func note(_ list: BinlogMetadata?, of call: Int) {
    guard let list, !list.entry.isEmpty else { return }
    let credentials = credentials(in: list)
    if !credentials.isEmpty { self.credentials[call] = credentials }
  }

  private mutating func credentials(in header: BinlogMetadata) -> [Credential] {
    if let last, last.header == header { return last.credentials }
    redactor.note(header.metadata())
    last = (header, redactor.credentials)
    return redactor.credentials
  }
}

extension [Credential] {
  fileprivate func redact(_ metadata: inout BinlogMetadata?) {
    guard var list = metadata else { return }
    for index in list.entry.indices { redact(&list.entry[index].value) }
    metadata = list
  }
}
