// Descriptions of metadata in print, dump and debuggers. Sensitive values are redacted.

extension Metadata.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// "x-user: anna", "authorization: <redacted>". Bytes are in Base64.
  public var description: String { "\(name): \(shown)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(
      self, children: ["name": name, "value": shown, "isSensitive": isSensitive],
      displayStyle: .struct)
  }

  var shown: String {
    MetadataRules.shown(
      value.headerValue, of: name, isSensitive: isSensitive || !value.webTokens.isEmpty)
  }
}

extension Metadata: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// "[x-user: anna, authorization: <redacted>]".
  public var description: String {
    "[" + entries.map(\.description).joined(separator: ", ") + "]"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: entries, displayStyle: .collection)
  }
}
