package import Recording

/// An entry of a binary log and the call that it belongs to.
package final class LoggedEntry {
  package let value: BinlogGrpcLogEntry
  package let call: CallNumbers.Call

  package init(_ value: BinlogGrpcLogEntry, of call: CallNumbers.Call) {
    self.value = value
    self.call = call
  }

  /// Whether the message was recorded as a whole.
  package var isComplete: Bool { value.isComplete }

  /// Whether this is a status that the client generated before any response of a server.
  package var isLocalStatus: Bool {
    guard case .trailer(let trailer) = value.payload, value.logger == .client else {
      return false
    }
    return trailer.statusCode != 0 && trailer.metadata?.entry.isEmpty ?? true
      && call.method != nil && !call.isAnswered
  }
}
