/// Selects the calls to record and how much of each: comma-separated patterns as in gRFC A16.
///
///     *                              every call
///     shop.Shop/*                    every call of a service
///     shop.Shop/Buy{h;m:256}         the headers of a method, and 256 bytes of each message
///     shop.Shop/Pay{h:512}           512 bytes of the headers of a method, and no messages
///     -shop.Shop/Watch               excludes a method
///
/// A pattern for a method takes precedence over one for its service, which takes precedence over `*`.
/// The order of the patterns in the text does not matter. A call that matches no pattern is not
/// recorded.
public struct RecordingFilter: Hashable, Sendable {
  /// Records every call completely.
  public static let all = RecordingFilter(everyCall: .whole)

  /// The number of bytes of a call that are recorded.
  struct Limits: Hashable {
    /// The limit for the names and values of headers, and of trailers, in bytes.
    var metadata: Int
    /// The limit for each message in bytes.
    var message: Int

    static let whole = Limits(metadata: .max, message: .max)
  }

  private var everyCall: Limits?
  private var services: [String: Limits] = [:]
  /// The limits of methods; nil for an excluded method.
  private var methods: [String: Limits?] = [:]

  private init(everyCall: Limits) {
    self.everyCall = everyCall
  }

  /// Parses a filter.
  ///
  /// - Throws: ``RecordingFilterError`` with the pattern that is invalid or repeated.
  public init(_ text: String) throws(RecordingFilterError) {
    for pattern in text.split(separator: ",", omittingEmptySubsequences: false) {
      try add(pattern)
    }
  }

  /// Returns how much of a call is recorded; nil if the call is excluded.
  ///
  /// - Parameter path: the path of the method, such as "/shop.Shop/Buy".
  func limits(for path: String) -> Limits? {
    if methods.isEmpty, services.isEmpty { return everyCall }
    let name = path.drop { $0 == "/" }
    if let limits = methods[String(name)] { return limits }
    return services[String(name.prefix { $0 != "/" })] ?? everyCall
  }
}

extension RecordingFilter {
  /// Whether a pattern matches a method, including a pattern that excludes it.
  ///
  /// - Parameter path: the path of the method, such as "/shop.Shop/Buy".
  func matches(_ path: String) -> Bool {
    limits(for: path) != nil || methods[String(path.drop { $0 == "/" })] != nil
  }
}

/// An error in a filter.
public struct RecordingFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid pattern.
  public var pattern: String
  /// Why the pattern is invalid.
  public var reason: String

  public var description: String { "\"\(pattern)\": \(reason)" }
}

extension RecordingFilter {
  private mutating func add(_ pattern: Substring) throws(RecordingFilterError) {
    func flaw(_ reason: String) -> RecordingFilterError {
      RecordingFilterError(pattern: String(pattern), reason: reason)
    }
    let isExcluded = pattern.first == "-"
    let name = pattern.dropFirst(isExcluded ? 1 : 0).prefix { $0 != "{" }
    let braces = pattern[name.endIndex...]
    guard !isExcluded || braces.isEmpty else {
      throw flaw("an exclusion must not have {…}")
    }
    let limits = try Self.limits(braces, flaw)
    let isNew: Bool
    if name == "*", !isExcluded {
      isNew = everyCall == nil
      everyCall = limits
    } else {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
        throw flaw("expected *, package.Service/* or package.Service/Method")
      }
      let isService = parts[1] == "*"
      guard !isService || !isExcluded else {
        throw flaw("only a method can be excluded, not a service")
      }
      guard parts.prefix(isService ? 1 : 2).allSatisfy({ $0.allSatisfy(\.isNameCharacter) }) else {
        throw flaw("a name must contain only letters, digits, _ and .")
      }
      isNew =
        isService
        ? services.updateValue(limits, forKey: String(parts[0])) == nil
        : methods.updateValue(isExcluded ? .none : limits, forKey: String(name)) == nil
    }
    guard isNew else { throw flaw("\(name) occurs twice") }
  }

  /// Parses "{h;m:256}"; without braces there is no limit.
  private static func limits(
    _ braces: Substring, _ flaw: (String) -> RecordingFilterError
  ) throws(RecordingFilterError) -> Limits {
    guard !braces.isEmpty else { return .whole }
    var limits = Limits(metadata: 0, message: 0)
    let parts = braces.dropFirst().dropLast()
      .split(separator: ";", omittingEmptySubsequences: false)
    var letters = parts.compactMap(\.first)
    guard braces.last == "}", letters.count == parts.count,
      letters == ["h"] || letters == ["m"] || letters == ["h", "m"]
    else {
      throw flaw("expected {h}, {m} or {h;m} after the name, each with an optional :BYTES")
    }
    for part in parts {
      let limit = try limit(part.dropFirst(), flaw)
      if letters.removeFirst() == "h" { limits.metadata = limit } else { limits.message = limit }
    }
    return limits
  }

  private static func limit(
    _ text: Substring, _ flaw: (String) -> RecordingFilterError
  ) throws(RecordingFilterError) -> Int {
    if text.isEmpty { return .max }
    let digits = text.dropFirst()
    guard text.first == ":", !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }),
      let limit = Int(digits)
    else {
      throw flaw("\(text) is not a size in bytes, such as :256")
    }
    return limit
  }
}

extension Character {
  fileprivate var isNameCharacter: Bool {
    isASCII && (isLetter || isNumber || self == "_" || self == ".")
  }
}
