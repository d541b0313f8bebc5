import COpenSSL

/// Sessions that servers have offered for a faster next handshake (RFC 8446 §2.2, RFC 5077).
///
/// A TLS 1.3 ticket is used once, so that it cannot link two connections (RFC 8446 §C.4). A TLS 1.2
/// session is put back after use.
//
// Sendable, because `sessions` is accessed under the lock only.
@safe final class SessionCache: @unchecked Sendable {
  /// The largest number of sessions; the oldest are dropped. Servers send one or two for each connection.
  private static let capacity = 8

  private var sessions: [(serverName: String, session: OwnedSession)] = []
  /// OpenSSL's lock, which the thread sanitizer supports.
  private let lock = unsafe CRYPTO_THREAD_lock_new()

  deinit {
    unsafe CRYPTO_THREAD_lock_free(lock)
  }

  func keep(_ session: OwnedSession, for serverName: String) {
    guard unsafe CRYPTO_THREAD_write_lock(lock) == 1 else { return }
    defer { _ = unsafe CRYPTO_THREAD_unlock(lock) }
    if sessions.count == Self.capacity { sessions.removeFirst() }
    sessions.append((serverName, session))
  }

  /// Returns the newest session.
  func take(for serverName: String) -> OwnedSession? {
    guard unsafe CRYPTO_THREAD_write_lock(lock) == 1 else { return nil }
    defer { _ = unsafe CRYPTO_THREAD_unlock(lock) }
    let newest = sessions.lastIndex { $0.serverName == serverName }
    return newest.map { sessions.remove(at: $0).session }
  }
}

/// Owns an SSL_SESSION.
//
// Sendable, because a kept session is never changed, and OpenSSL counts its references atomically.
@safe final class OwnedSession: @unchecked Sendable {
  let pointer: OpaquePointer

  /// A copy. OpenSSL would invalidate the original if its connection ends without close_notify, which has
  /// been unnecessary since TLS 1.1 (RFC 4346 §7.2.1).
  init?(copying original: OpaquePointer?) {
    guard let original = unsafe original, unsafe SSL_SESSION_is_resumable(original) == 1,
      let copy = unsafe SSL_SESSION_dup(original)
    else { return nil }
    unsafe pointer = unsafe copy
  }

  deinit {
    unsafe SSL_SESSION_free(pointer)
  }
}
