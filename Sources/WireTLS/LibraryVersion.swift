import COpenSSL

/// The version of OpenSSL that this process uses: `3.0.17`.
package var openSSLVersion: String {
  unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
}
