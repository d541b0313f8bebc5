import Tripwire
import WireGRPC
import WireProtobuf

/// Replaces IDs, "trip-1" for the first trip. The same ID always gets the same replacement.
struct AnonymousNames {
  /// The kind of an ID, and the start of its replacement.
  struct Kind: Equatable {
    let rawValue: String

    static let provider = Kind("provider")
    static let place = Kind("place")
    static let token = Kind("token")
    static let trace = Kind("trace")
    static let request = Kind("request")
    static let related = Kind("related")
    static let name = Kind("name")
    static let host = Kind("host")
    static let address = Kind("address")

    private init(_ rawValue: String) { self.rawValue = rawValue }
    init(_ kind: ResourceKind) { self.init(kind.option) }

    /// Creates the kind of the IDs in a field; nil if the field has no IDs of resources.
    init?(field: String) {
      let kind = ResourceKind.allCases.first { field == $0.idField }
      guard let kind = field == "current_trips" ? .trip : kind else { return nil }
      self.init(kind)
    }
  }

  /// The maximum length of an ID in Fleet Engine. Longer text would take long to compare.
  static let longest = 256

  /// The names of methods, fields, messages and constants of the API.
  var terms: Set<String> = []

  /// By kind and ID, separated by a space, and by the ID alone for texts that mention it.
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

  /// Returns the number of the replacement of an ID, from 1.
  mutating func index(of id: String, _ kind: Kind) -> Int {
    Self.number(of: replace(id, kind))
  }

  /// Replaces an ID or a whole name, "providers/p/trips/t".
  ///
  /// - Parameter kind: of an ID.
  mutating func replace(resource name: String, orID kind: Kind) -> String {
    guard name.utf8.contains(UInt8(ascii: "/")) else { return replace(name, kind) }
    return replace(resource: name) ?? replace(name, .name)
  }

  /// Returns nil for text that is not a resource name.
  private mutating func replace(resource name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard name.utf8.count <= 4 * Self.longest, parts[0] == "providers" else { return nil }
    switch parts.count {
    case 2: return "providers/" + replace(parts[1], .provider)
    case 4:
      // A billable trip has the ID of the trip.
      let collection = parts[2] == "billableTrips" ? "trips" : parts[2]
      guard let kind = ResourceKind(rawValue: collection) else { return nil }
      return
        "providers/\(replace(parts[1], .provider))/\(parts[2])/\(replace(parts[3], Kind(kind)))"
    default: return nil
    }
  }

  /// Replaces the IDs in a value of `x-goog-request-params`: "provider_id=providers%2Fp".
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

  /// Returns the replacement of a known ID or of a resource name; nil for other words.
  mutating func replacement(of word: String) -> String? {
    replacements[word] ?? replace(resource: word)
  }

  // MARK: Replacements

  /// Returns the number of different IDs that were replaced.
  func count(of kind: Kind) -> Int { counts[kind.rawValue] ?? 0 }

  /// The replacement of each ID, as one JSON object per line. Addresses are omitted, because several of
  /// them may share a replacement.
  var mapping: String {
    let all = replacements.compactMap {
      key, replacement -> (kind: Substring, id: Substring, Int)? in
      let parts = key.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] != Kind.address.rawValue else { return nil }
      return (parts[0], parts[1], Self.number(of: replacement))
    }
    return all.sorted { ($0.kind, $0.2) < ($1.kind, $1.2) }.map {
      kind, id, number in
      JSONWriter.object { json in
        json.member("replacement", "\(kind)-\(number)")
        json.member("original", String(id))
      } + "\n"
    }.joined()
  }

  private static func number(of replacement: String) -> Int {
    Int(replacement.split(separator: "-").last ?? "") ?? 0
  }
}
