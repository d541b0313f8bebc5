import WireProtobuf
import WireSystem

/// The token in a file, read again when the file changes.
///
/// The file is checked with stat for every call. While it cannot be read or is being written, the
/// previous token is used if it has an `exp` that is in the future.
///
/// A pipe is not supported, because it cannot be read twice. Read it once with ``token(in:)`` and
/// use a ``FixedToken``.
public struct FileToken: ImmediateTokenProvider {
  /// The path of the file.
  public let path: String
  private let last = Last()
  private let now: @Sendable () -> Double

  /// Creates a provider without reading the file.
  public init(path: String) {
    self.init(path: path, now: { WallTime.now })
  }

  /// - Parameter now: returns the time in seconds since 1970.
  init(path: String, now: @escaping @Sendable () -> Double) {
    self.path = path
    self.now = now
  }

  /// Returns the token in the file.
  ///
  /// - Throws: ``TokenError`` if the file cannot be read or has no valid token, unless the previous token is still
  ///   valid.
  public func token(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    try immediateToken(for: context)
  }

  /// Returns one context for all calls, because the token does not depend on it.
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { .any }

  package func immediateToken(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    let found: FileVersion?
    do throws(IOError) {
      found = try FileVersion(of: path)
    } catch {
      return try lastGoodToken(or: .unreadable(path: path, reason: "\(error.code)"))
    }
    guard let version = found else {
      return try lastGoodToken(
        or: .unreadable(path: path, reason: "not a regular file"))
    }
    if let token = last.token(of: version) { return token }
    let isSettled = version.isSettled(at: now())
    do throws(TokenError) {
      // Reading a regular file never blocks.
      let token = AuthToken(try Self.token(in: path, until: .now))
      last.keep(token, of: isSettled ? version : nil)
      return token
    } catch {
      return try lastGoodToken(or: error)
    }
  }

  package var isFixed: Bool { false }

  package var reasonForNoOther: String { "\(TokenError.shown(path)) has not changed" }

  private func lastGoodToken(or error: TokenError) throws(TokenError) -> AuthToken {
    guard let token = last.token, let expiration = token.expiration, expiration > now() else {
      throw error
    }
    return token
  }

  /// Reads the current token from a file, without surrounding white space.
  ///
  /// Waits up to 15 s for the writer of a pipe, and for the end of standard input without a limit.
  ///
  /// - Parameter path: the path of a file; `-` is standard input.
  /// - Throws: ``TokenError/unreadable(path:reason:)`` if the file cannot be read or does not
  ///   contain a valid token.
  public static func token(in path: String) throws(TokenError) -> String {
    try token(in: path, until: nil)
  }

  /// - Parameter deadline: when to stop waiting; nil means 15 s for a pipe, no limit for standard
  ///   input.
  package static func token(
    in path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> String {
    do throws(TokenError) {
      let contents = try mapError(
        LocalFile.input(path, limit: TokenError.longest, until: deadline)
      ) { (error: FileReadError) in
        TokenError.unreadable(path: LocalFile.name(of: path), reason: TokenError.Reason(error))
      }
      let token = String(decoding: contents.trimmingWhitespace(), as: UTF8.self)
      try TokenError.check(token)
      return token
    } catch {
      if case .unreadable = error { throw error }
      throw .unreadable(
        path: LocalFile.name(of: path),
        reason: error != .empty
          ? TokenError.Reason(error) : path == "-" ? .noInput : "the file is empty")
    }
  }
}

/// The token that was read last, with the version of its file; the version is nil if the file may
/// have changed since without a visible difference.
private final class Last: Sendable {
  private let state = Locked<(token: AuthToken?, version: FileVersion?)>((nil, nil))

  var token: AuthToken? { state.withLock { $0.token } }

  func token(of version: FileVersion) -> AuthToken? {
    state.withLock { $0.version == version ? $0.token : nil }
  }

  func keep(_ token: AuthToken, of version: FileVersion?) {
    state.withLock { $0 = (token, version) }
  }
}

extension [UInt8] {
  /// The bytes without leading and trailing spaces, tabs and line ends.
  package func trimmingWhitespace() -> ArraySlice<UInt8> {
    let isText = { (byte: UInt8) in ![0x20, 0x09, 0x0a, 0x0d].contains(byte) }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else {
      return []
    }
    return self[first...last]
  }
}
