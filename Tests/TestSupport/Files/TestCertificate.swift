/// A self-signed certificate for the name localhost, valid for a century, and its key.
///
///     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
///       -subj /CN=localhost -addext subjectAltName=DNS:localhost
public enum TestCertificate {
  public static let pem = Array(
    """
    -----BEGIN CERTIFICATE-----
    MIIBlDCCATugAwIBAgIUL+iY8iBE9L0A1UnH1iPTbnRFCd8wCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMjU1N1oYDzIxMjYxMDI4
    MTAyNTU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATea9cXspUNMdo6/X6YUhI9q44q9O6da+PceFGEnb9jt7NhT5UF2MXN
    msWDs9Hs41z0Nc0e4o+wRGzxurfkO8n7o2kwZzAdBgNVHQ4EFgQUPSCGgZeqZ9y4
    M3MpKtHz6zWVYvEwHwYDVR0jBBgwFoAUPSCGgZeqZ9y4M3MpKtHz6zWVYvEwDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    RwAwRAIgFvrDNTPQev7v0fufetK/dQNdrgU4xUQ69W9N0eWA4RQCIEs+Ao9BYc0y
    jvIw3EL0iOfKmgdEIZQZoXvOhN1IfVXN
    -----END CERTIFICATE-----
    """.utf8)

  public static let key = Array(
    """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2EzHV09SvUR89gCU
    6lL2ES98u502EjuhqxecNpsmtRihRANCAATea9cXspUNMdo6/X6YUhI9q44q9O6d
    a+PceFGEnb9jt7NhT5UF2MXNmsWDs9Hs41z0Nc0e4o+wRGzxurfkO8n7
    -----END PRIVATE KEY-----
    """.utf8)

  /// The certificate of another server, generated in the same way.
  public static let other = Array(
    """
    -----BEGIN CERTIFICATE-----
    MIIBiTCCAS+gAwIBAgIUAxMx1qfisvEXM7Nsd16pRKBVcrwwCgYIKoZIzj0EAwIw
    EDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTIxMTAyNTU3WhgPMjEyNjEwMjgxMDI1
    NTdaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
    qrsY5wfY5qMjyAcTpOXgFzu3Vs94LBgb1eLxv9YBUFfk3IDAPXdoCRG9PNBt9hfH
    GiVbTvmqxg7wippSzhVqKKNlMGMwHQYDVR0OBBYEFLltEEOrX8PCnVAqLwuZ65lV
    fb/+MB8GA1UdIwQYMBaAFLltEEOrX8PCnVAqLwuZ65lVfb/+MA8GA1UdEwEB/wQF
    MAMBAf8wEAYDVR0RBAkwB4IFb3RoZXIwCgYIKoZIzj0EAwIDSAAwRQIhAMup1p10
    1HKsdx8U85qu8nhYQoFU5XCfG2yt4gXf8S2iAiBIElxbMFoYek8FJCqgHJdJaN2+
    Ydt7QAlrz3QNZKhMVQ==
    -----END CERTIFICATE-----
    """.utf8)
}
