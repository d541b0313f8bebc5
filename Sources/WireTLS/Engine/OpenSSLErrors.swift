import COpenSSL
import WireSystem

/// The errors of this thread in OpenSSL's queue, which is emptied.
///
/// The queue keeps errors until they are taken. It is cleared before each call whose result SSL_get_error
/// reads, and drained after one that failed.
struct OpenSSLErrors {
  private var codes: [UInt] = []
  /// OpenSSL's text for the first error, which caused the others.
  private(set) var text = "no reason given"

  /// Initializes OpenSSL. Call it before any other function of OpenSSL, because the first use decides what
  /// happens at the end of the process.
  static func clear() {
    _ = initialization
    ERR_clear_error()
  }

  /// Without this option, exit(3) frees OpenSSL's memory while loops on other threads still use it.
  private static let initialization = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)

  static func drain() -> OpenSSLErrors {
    var errors = OpenSSLErrors()
    while true {
      var data: UnsafePointer<CChar>?
      var flags: Int32 = 0
      let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
      guard code != 0 else { return errors }
      if errors.codes.isEmpty {
        errors.text = describe(code)
        if flags & ERR_TXT_STRING != 0, ERR_GET_LIB(code) != ERR_LIB_SYS, let data = unsafe data {
          let more = unsafe String(cString: data)
          if !more.isEmpty { errors.text += " (\(more))" }
        }
      }
      errors.codes.append(code)
    }
  }

  private static func describe(_ code: UInt) -> String {
    let reason =
      ERR_GET_LIB(code) == ERR_LIB_SYS
      ? unsafe UnsafePointer(strerror(ERR_GET_REASON(code))) : unsafe ERR_reason_error_string(code)
    guard let reason = unsafe reason else { return "OpenSSL error \(code)" }
    return unsafe String(cString: reason)
  }

  /// Whether libssl reported this reason, one of SSL_R_….
  func has(_ reason: Int32) -> Bool {
    codes.contains { ERR_GET_LIB($0) == ERR_LIB_SSL && ERR_GET_REASON($0) == reason }
  }

  /// The number of the alert that the peer sent.
  var alert: Int? {
    for code in codes where ERR_GET_LIB(code) == ERR_LIB_SSL {
      let number = Int(ERR_GET_REASON(code)) - Int(SSL_AD_REASON_OFFSET)
      if (0..<256).contains(number) { return number }
    }
    return nil
  }
}
