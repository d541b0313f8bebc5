import WireSystem

/// The token in a file, read again when the file has changed: whoever renews it writes the file.
///
/// The file is looked at (stat) for every call. While it cannot be read, or is being written, the
/// token that it held before is used if that says that it is still good.
///
/// A pipe is no such file: it cannot be read again, and one would have to wait for who writes it. Read
/// that once, with ``token(in:)``, and have a ``FixedToken``.
public struct FileToken: ImmediateTokenProvider {
  public let path: String
  private let last = Last()
  private let now: @Sendable () -> Double

  public init(path: String) {
    self.init(path: path, now: { WallTime.now })
  }

  /// - Parameter now: the time in seconds since 1970.
  package init(path: String, now: @escaping @Sendable () -> Double) {
    self.path = path
    self.now = now
  }

  public func token(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    try immediateToken(for: context)
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { .any }

  package func immediateToken(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    let found: FileVersion?
    do throws(IOError) {
      found = try FileVersion(of: path)
    } catch {
      return try lastGoodToken(or: .unreadable(path: path, reason: error.code.description))
    }
    guard let version = found else {
      return try lastGoodToken(
        or: .unreadable(path: path, reason: "not a regular file"))
    }
    if let token = last.token(of: version) { return token }
    let isSettled = version.isSettled(at: now())
    do throws(TokenError) {
      // A regular file never has to be waited for.
      let token = AuthToken(try Self.token(in: path, until: .now))
      last.keep(token, of: isSettled ? version : nil)
      return token
    } catch {
      return try lastGoodToken(or: error)
    }
  }

  package var isFixed: Bool { false }

  package var lackOfOthers: String { "\(TokenError.shown(path)) has not changed" }

  private func lastGoodToken(or error: TokenError) throws(TokenError) -> AuthToken {
    guard let token = last.token, let expiration = token.expiration, expiration > now() else {
      throw error
    }
    return token
  }

  /// The token that a file holds now, without the white space around it.
  ///
  /// Waits for the writer of a file that is a pipe, 15 s at most, and for the end of standard input.
  ///
  /// - Parameter path: a file's, or `-` for standard input.
  /// - Throws: ``TokenError/unreadable(path:reason:)`` when the file cannot be read, or what it holds may
  ///   not be sent.
  public static func token(in path: String) throws(TokenError) -> String {
    try token(in: path, until: nil)
  }

  /// - Parameter deadline: when to give up waiting; nil gives a pipe 15 s, and standard input any time.
  package static func token(
    in path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> String {
    do throws(TokenError) {
      let contents = try contents(of: path, until: deadline)
      let token = String(decoding: contents.trimmingWhitespace(), as: UTF8.self)
      try TokenError.check(token)
      return token
    } catch {
      if case .unreadable = error { throw error }
      throw .unreadable(
        path: shown(path), reason: error == .empty ? "the file is empty" : error.description)
    }
  }

  private static func shown(_ path: String) -> String { path == "-" ? "stdin" : path }

  private static func contents(
    of path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> [UInt8] {
    do throws(FileReadError) {
      return path == "-"
        ? try LocalFile().contents(limit: TokenError.longest, until: deadline)
        : try LocalFile.contents(of: path, limit: TokenError.longest, until: deadline)
    } catch {
      throw .unreadable(path: shown(path), reason: error.description)
    }
  }
}

/// The token that was read last, and of which version of the file; nil when the file may have changed
/// since without showing it.
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
  /// Without spaces, tabs and line ends at either end.
  package func trimmingWhitespace() -> ArraySlice<UInt8> {
    let isText = { (byte: UInt8) in ![0x20, 0x09, 0x0a, 0x0d].contains(byte) }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else {
      return []
    }
    return self[first...last]
  }
}
