extension BinlogGrpcLogEntry {
  /// Whether all of it was recorded. A message whose length was left out is as long as its data.
  package var isWhole: Bool {
    guard case .message(let message) = payload else { return !payloadTruncated }
    return !payloadTruncated && Int(message.length) <= message.data.count
  }
}
