/// The parameters that all of Google's APIs have (cloud.google.com/apis/docs/system-parameters).
struct SystemParameters: Sendable, Equatable {
  /// The fields of the response to return; empty for all.
  var fields = ""
  var isPretty = true
  /// Whether enum values are numbers.
  var numbersEnums = false
  /// The token of a parameter; nil for none.
  var token: String?

  /// Reads a parameter.
  ///
  /// - Parameter name: with or without `$`.
  /// - Returns: whether it is a system parameter.
  mutating func read(_ name: String, _ value: String) throws(TranscodingError) -> Bool {
    switch name.hasPrefix("$") ? String(name.dropFirst()) : name {
    case "alt":
      let parts = value.split(separator: ";")
      guard parts.first == "json", parts.count == 1 || parts[1...] == ["enum-encoding=int"] else {
        throw .invalid(name, "must be json or json;enum-encoding=int")
      }
      numbersEnums = parts.count > 1
    case "fields": fields = value
    case "prettyPrint", "pp":
      guard ["true", "1", "false", "0"].contains(value) else {
        throw .invalid(name, "must be true or false")
      }
      isPretty = value == "true" || value == "1"
    case "access_token", "oauth_token": token = value.isEmpty ? nil : value
    case "callback": throw .invalid(name, "is not supported")
    case "key", "quotaUser", "userIp", "uploadType", "upload_protocol", "xgafv", ".xgafv": break
    default: return false
    }
    return true
  }
}
