import COpenSSL

/// OpenSSL's error queue of this thread, emptied.
///
/// The queue keeps errors until somebody takes them, so it is cleared before each call whose result
/// is asked for with SSL_get_error, and drained after one that failed.
struct OpenSSLErrors {
  private let codes: [UInt]
  private let texts: [String]

  static func clear() {
    ERR_clear_error()
  }

  static func drain() -> OpenSSLErrors {
    var codes: [UInt] = []
    var texts: [String] = []
    while true {
      var data: UnsafePointer<CChar>?
      var flags: Int32 = 0
      let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
      guard code != 0 else { return OpenSSLErrors(codes: codes, texts: texts) }
      codes.append(code)
      var text = "error \(code)"
      if let reason = unsafe ERR_reason_error_string(code) { unsafe text = String(cString: reason) }
      if flags & ERR_TXT_STRING != 0, let data = unsafe data, unsafe data.pointee != 0 {
        unsafe text += " (\(String(cString: data)))"
      }
      texts.append(text)
    }
  }

  /// Whether libssl gave this reason, one of SSL_R_….
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

  /// OpenSSL's words, first cause first.
  var text: String {
    texts.isEmpty ? "no reason given" : texts.joined(separator: ": ")
  }
}
