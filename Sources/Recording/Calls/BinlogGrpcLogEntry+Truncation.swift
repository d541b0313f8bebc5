extension BinlogGrpcLogEntry {
  /// Whether the entry is not truncated. An unset message length counts as the length of the data.
  package var isComplete: Bool {
    guard case .message(let message) = payload else { return !payloadTruncated }
    return !payloadTruncated && Int(message.length) <= message.data.count
  }
}
