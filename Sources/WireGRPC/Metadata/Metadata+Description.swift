// What is shown of metadata: printed, interpolated, dumped or in a debugger it tells no secret.

extension Metadata.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// "x-user: anna", bytes in Base64, "authorization: <redacted>".
  public var description: String { "\(name): \(shown)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(
      self, children: ["name": name, "value": shown, "isSensitive": isSensitive],
      displayStyle: .struct)
  }

  /// The value as it may be shown.
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
