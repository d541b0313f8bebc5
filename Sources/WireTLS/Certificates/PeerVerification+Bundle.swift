import COpenSSL

extension PeerVerification {
  /// OpenSSL's verification of a chain, after the roots that the chain needs were added from the system's.
  ///
  /// Names are compared byte by byte. If a chain and its root spell a name differently (RFC 5280 §7.1 allows
  /// that), no root is found, and then all of them are parsed.
  static func verify(_ store: OpaquePointer, with lookup: RootLookup) -> Int32 {
    var asked: Set<ArraySlice<UInt8>> = []
    var names = unsafe names(of: store)
    var found: [[UInt8]] = []
    while !names.isEmpty {
      asked.formUnion(names)
      let more = lookup.certificates(named: names)
      let roots = more.compactMap { parse($0) }
      for root in roots { unsafe add(root, to: store) }
      // An intermediate among them has another issuer.
      names = Set(roots.compactMap { unsafe der(X509_get_issuer_name($0.pointer)) })
        .subtracting(asked)
      found += more
    }
    if found.isEmpty {
      for root in lookup.all {
        if let root = parse(root) { unsafe add(root, to: store) }
      }
    }
    return unsafe X509_verify_cert(store)
  }

  /// The subject and issuer of every certificate that the peer sent.
  private static func names(of store: OpaquePointer) -> Set<ArraySlice<UInt8>> {
    var names: Set<ArraySlice<UInt8>> = []
    let chain = unsafe X509_STORE_CTX_get0_untrusted(store)
    for index in 0..<max(unsafe OPENSSL_sk_num(chain), 0) {
      let certificate = unsafe OpaquePointer(OPENSSL_sk_value(chain, index))
      if let name = unsafe der(X509_get_subject_name(certificate)) { names.insert(name) }
      if let name = unsafe der(X509_get_issuer_name(certificate)) { names.insert(name) }
    }
    return names
  }

  private static func der(_ name: OpaquePointer?) -> ArraySlice<UInt8>? {
    var start: UnsafePointer<UInt8>?
    var count = 0
    guard unsafe X509_NAME_get0_der(name, &start, &count) == 1 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  private static func parse(_ certificate: [UInt8]) -> OwnedX509? {
    unsafe certificate.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_X509(nil, &start, bytes.count).map { unsafe OwnedX509(owning: $0) }
    }
  }

  /// Adding a certificate again has no effect. The store has its own lock.
  private static func add(_ root: OwnedX509, to store: OpaquePointer) {
    _ = unsafe X509_STORE_add_cert(X509_STORE_CTX_get0_store(store), root.pointer)
  }
}
