/// Which calls are recorded, and how much of each: patterns with commas between them, as gRFC A16 has
/// them.
///
///     *                              every call
///     shop.Shop/*                    every call of a service
///     shop.Shop/Buy{h;m:256}         of a method the headers, and 256 bytes of each message
///     shop.Shop/Pay{h:512}           of a method 512 bytes of the headers, and no message
///     -shop.Shop/Watch               a method that is left out
///
/// What names the method counts before what names the service, and that before `*`, in whatever order
/// they stand. A call that nothing names is not recorded.
public struct RecordingFilter: Hashable, Sendable {
  /// Every call, whole.
  public static let all = RecordingFilter(everyCall: .whole)

  /// How many bytes of a call are recorded.
  struct Limits: Hashable {
    /// Of the names and values of headers, and of trailers.
    var metadata: Int
    /// Of each message.
    var message: Int

    static let whole = Limits(metadata: .max, message: .max)
  }

  private var everyCall: Limits?
  private var services: [String: Limits] = [:]
  /// Nil for those that are left out.
  private var methods: [String: Limits?] = [:]

  private init(everyCall: Limits) {
    self.everyCall = everyCall
  }

  /// - Throws: ``RecordingFilterError`` that names the pattern which is none, or comes twice.
  public init(_ text: String) throws(RecordingFilterError) {
    for pattern in text.split(separator: ",", omittingEmptySubsequences: false) {
      try add(pattern)
    }
  }

  /// How much of the calls of a method is recorded; nil for nothing.
  ///
  /// - Parameter path: "/shop.Shop/Buy".
  func limits(for path: String) -> Limits? {
    if methods.isEmpty, services.isEmpty { return everyCall }
    let name = path.drop { $0 == "/" }
    if let limits = methods[String(name)] { return limits }
    return services[String(name.prefix { $0 != "/" })] ?? everyCall
  }
}

extension RecordingFilter {
  /// Whether a pattern is about the calls of a method, be it one that leaves them out.
  ///
  /// - Parameter path: "/shop.Shop/Buy".
  func names(_ path: String) -> Bool {
    limits(for: path) != nil || methods[String(path.drop { $0 == "/" })] != nil
  }
}

/// What is wrong with a filter.
public struct RecordingFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The pattern at fault.
  public var pattern: String
  public var reason: String

  public var description: String { "\"\(pattern)\": \(reason)" }
}

extension RecordingFilter {
  private mutating func add(_ pattern: Substring) throws(RecordingFilterError) {
    func flaw(_ reason: String) -> RecordingFilterError {
      RecordingFilterError(pattern: String(pattern), reason: reason)
    }
    let isLeftOut = pattern.first == "-"
    let name = pattern.dropFirst(isLeftOut ? 1 : 0).prefix { $0 != "{" }
    let braces = pattern[name.endIndex...]
    guard !isLeftOut || braces.isEmpty else {
      throw flaw("an excluded method takes no {…}")
    }
    let limits = try Self.limits(braces, flaw)
    let isNew: Bool
    if name == "*", !isLeftOut {
      isNew = everyCall == nil
      everyCall = limits
    } else {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
        throw flaw("expected *, package.Service/* or package.Service/Method")
      }
      let isService = parts[1] == "*"
      guard !isService || !isLeftOut else {
        throw flaw("only a method can be excluded, not a service")
      }
      guard parts.prefix(isService ? 1 : 2).allSatisfy({ $0.allSatisfy(\.isOfName) }) else {
        throw flaw("a name must contain only letters, digits, _ and .")
      }
      isNew =
        isService
        ? services.updateValue(limits, forKey: String(parts[0])) == nil
        : methods.updateValue(isLeftOut ? .none : limits, forKey: String(name)) == nil
    }
    guard isNew else { throw flaw("\(name) occurs twice") }
  }

  /// Reads "{h;m:256}"; all of both when there are no braces.
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
      throw flaw("\(text) is not a number of bytes such as :256")
    }
    return limit
  }
}

extension Character {
  fileprivate var isOfName: Bool {
    isASCII && (isLetter || isNumber || self == "_" || self == ".")
  }
}
