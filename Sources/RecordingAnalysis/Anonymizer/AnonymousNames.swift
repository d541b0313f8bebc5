import WireGRPC
import WireProtobuf

/// Gives names in place of those in a log: the same for the same, "trip-1" for the first trip.
struct AnonymousNames {
  /// What an id is of: its replacement is called so.
  enum Kind: String {
    case provider, trip, vehicle, place, token, trace, request, related, name, host, address
  }

  /// No id of Fleet Engine is longer, and to compare what is takes long.
  static let longest = 256

  /// Words that are the API's own: names of methods, fields, messages and constants.
  var terms: Set<String> = []

  /// By the id behind its kind and a blank; by the id alone for texts that mention it.
  private var replacements: [String: String] = [:]
  private var counts: [String: Int] = [:]

  mutating func replace(_ id: String, _ kind: Kind) -> String {
    if id.isEmpty { return id }
    guard id.utf8.count <= Self.longest else { return kind.rawValue + "-long" }
    let key = "\(kind.rawValue) \(id)"
    if let replacement = replacements[key] { return replacement }
    let count = (counts[kind.rawValue] ?? 0) + 1
    counts[kind.rawValue] = count
    let replacement = "\(kind.rawValue)-\(count)"
    replacements[key] = replacement
    let isWord = !id.utf8.contains(UInt8(ascii: " "))
    if isWord, replacements[id] == nil { replacements[id] = replacement }
    return replacement
  }

  /// How many different ones there were before this one.
  mutating func index(of id: String, _ kind: Kind) -> Int {
    Self.number(of: replace(id, kind))
  }

  /// An ID or a whole name, "providers/p/trips/t".
  ///
  /// - Parameter kind: of an ID.
  mutating func replace(resource name: String, orID kind: Kind) -> String {
    guard name.utf8.contains(UInt8(ascii: "/")) else { return replace(name, kind) }
    return replace(resource: name) ?? replace(name, .name)
  }

  /// Nil for what is no resource's name.
  private mutating func replace(resource name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard name.utf8.count <= 4 * Self.longest, parts[0] == "providers" else { return nil }
    switch parts.count {
    case 2: return "providers/" + replace(parts[1], .provider)
    case 4 where parts[2] == "trips" || parts[2] == "vehicles":
      let kind = parts[2] == "trips" ? Kind.trip : .vehicle
      return "providers/\(replace(parts[1], .provider))/\(parts[2])/\(replace(parts[3], kind))"
    default: return nil
    }
  }

  /// The value of `x-goog-request-params`: "provider_id=providers%2Fp".
  mutating func replace(requestParameters text: String) -> String {
    text.split(separator: "&").compactMap { pair -> String? in
      let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == "provider_id" else { return nil }
      let value = String(decoding: String(parts[1]).percentDecoded, as: UTF8.self)
      let replaced = replace(resource: value, orID: .provider)
      return "provider_id="
        + replaced.percentEncoded { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "%") }
    }.joined(separator: "&")
  }

  /// What stands for an id already, or for the name of a resource; nil for other words.
  mutating func replacement(of word: String) -> String? {
    replacements[word] ?? replace(resource: word)
  }

  // MARK: What was replaced

  /// How many different ones there were.
  func count(of kind: Kind) -> Int { counts[kind.rawValue] ?? 0 }

  /// What stands for what, a JSON object on a line for each. Of addresses there are none: what stands
  /// for them may stand for several.
  var mapping: String {
    let all = replacements.compactMap { key, replacement -> (kind: Kind, id: Substring, Int)? in
      let parts = key.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), kind != .address else {
        return nil
      }
      return (kind, parts[1], Self.number(of: replacement))
    }
    return all.sorted { ($0.kind.rawValue, $0.2) < ($1.kind.rawValue, $1.2) }.map {
      var line = JSONObject()
      line.add("replacement", "\($0.kind.rawValue)-\($0.2)".quotedAsJSON)
      line.add("original", String($0.id).quotedAsJSON)
      return line.text + "\n"
    }.joined()
  }

  private static func number(of replacement: String) -> Int {
    Int(replacement.split(separator: "-").last ?? "") ?? 0
  }
}
