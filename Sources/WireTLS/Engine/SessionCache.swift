import COpenSSL

/// Sessions that servers have offered for a quicker next handshake (RFC 8446 §2.2, RFC 5077).
///
/// A ticket of TLS 1.3 is taken out for good when it is used, so that no two connections can be
/// linked by it (RFC 8446 §C.4); a session of TLS 1.2 is put back when it has served.
//
// Sendable because `sessions` is only touched under the lock.
@safe final class SessionCache: @unchecked Sendable {
  /// The most sessions kept; the oldest go first. Servers give one or two with each connection.
  private static let capacity = 8

  private var sessions: [(serverName: String, session: OwnedSession)] = []
  /// OpenSSL's, for this module knows no other, and the thread sanitizer knows it.
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

  /// The newest.
  func take(for serverName: String) -> OwnedSession? {
    guard unsafe CRYPTO_THREAD_write_lock(lock) == 1 else { return nil }
    defer { _ = unsafe CRYPTO_THREAD_unlock(lock) }
    let newest = sessions.lastIndex { $0.serverName == serverName }
    return newest.map { sessions.remove(at: $0).session }
  }
}

/// An SSL_SESSION that goes when this goes.
//
// Sendable because nobody changes the session once it is kept, and OpenSSL counts its references
// atomically.
@safe final class OwnedSession: @unchecked Sendable {
  let pointer: OpaquePointer

  /// OpenSSL would make the original useless when its connection ends without close_notify, which
  /// since TLS 1.1 is no reason to (RFC 4346 §7.2.1).
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
