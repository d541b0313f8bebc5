/// When and how often a failed call is tried again (gRFC A6, retryPolicy).
///
/// The delay before attempt n is `min(initialBackoff * backoffMultiplier^(n-2), maxBackoff)`,
/// spread by a fifth either way; a server that names a delay itself has its way, and the next delay
/// is the initial one again. A call whose answer has begun is not tried again, nor is one that has
/// sent more than 256 KiB. The call's deadline spans all attempts.
public struct RetryPolicy: Sendable, Hashable {
  private struct Values: Hashable {
    var maxAttempts: Int
    var initialBackoff: Duration
    var maxBackoff: Duration
    var backoffMultiplier: Double
    var retryableStatusCodes: Set<StatusCode>
  }

  /// Every call carries its policy with it, and few change it: so it is one reference.
  private final class Box: Sendable {
    let values: Values

    init(_ values: Values) {
      self.values = values
    }
  }

  private var box: Box
  private var values: Values {
    get { box.values }
    set { box = Box(newValue) }
  }

  /// Attempts in all, the first included. Values above 5 count as 5, below 2 mean no retry.
  public var maxAttempts: Int {
    get { values.maxAttempts }
    set { values.maxAttempts = newValue }
  }

  public var initialBackoff: Duration {
    get { values.initialBackoff }
    set { values.initialBackoff = newValue }
  }

  public var maxBackoff: Duration {
    get { values.maxBackoff }
    set { values.maxBackoff = newValue }
  }

  public var backoffMultiplier: Double {
    get { values.backoffMultiplier }
    set { values.backoffMultiplier = newValue }
  }

  /// The codes after which the call is tried again.
  public var retryableStatusCodes: Set<StatusCode> {
    get { values.retryableStatusCodes }
    set { values.retryableStatusCodes = newValue }
  }

  public init(
    maxAttempts: Int, initialBackoff: Duration, maxBackoff: Duration, backoffMultiplier: Double,
    retryableStatusCodes: Set<StatusCode>
  ) {
    box = Box(
      Values(
        maxAttempts: maxAttempts, initialBackoff: initialBackoff, maxBackoff: maxBackoff,
        backoffMultiplier: backoffMultiplier, retryableStatusCodes: retryableStatusCodes))
  }

  public static func == (one: RetryPolicy, other: RetryPolicy) -> Bool {
    one.values == other.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }

  /// One attempt, whatever comes of it. Calls that the server never acted on are still sent again.
  public static let never = RetryPolicy(
    maxAttempts: 1, initialBackoff: .zero, maxBackoff: .zero, backoffMultiplier: 1,
    retryableStatusCodes: [])
}

extension RetryPolicy {
  /// No policy has more attempts than this.
  private static let mostAttempts = 5

  /// Attempts in all.
  package var attempts: Int { max(1, min(maxAttempts, Self.mostAttempts)) }

  /// The delay before a retry.
  ///
  /// - Parameters:
  ///   - number: counts the delays, from 1.
  ///   - random: from 0 up to 1, spreads the delay by a fifth either way.
  package func backoff(_ number: Int, random: Double) -> Duration {
    Backoff.pause(
      after: number, first: initialBackoff, longest: min(maxBackoff, Timeout.longest),
      multiplier: backoffMultiplier, random: random)
  }
}

extension RetryPolicy: CustomStringConvertible, CustomReflectable {
  /// "5 attempts after UNAVAILABLE, 1.0 seconds apart, x1.3 up to 10.0 seconds".
  public var description: String {
    guard attempts > 1 else { return "1 attempt" }
    let codes = retryableStatusCodes.sorted { $0.rawValue < $1.rawValue }.map(\.description)
    return "\(attempts) attempts after \(codes.joined(separator: ", ")), \(initialBackoff) apart,"
      + " x\(backoffMultiplier) up to \(maxBackoff)"
  }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "maxAttempts": maxAttempts, "initialBackoff": initialBackoff, "maxBackoff": maxBackoff,
        "backoffMultiplier": backoffMultiplier, "retryableStatusCodes": retryableStatusCodes,
      ], displayStyle: .struct)
  }
}
