import CCurl
import Synchronization
import WireGRPCClient
import WireSystem
import WireTLS
import WireTransport

/// One request and its response, on one thread.
///
/// Sendable because `run` is called once, on the thread of the transfer, which alone uses the other properties; only the
/// atomic is shared.
final class HTTPTransfer: @unchecked Sendable {
  private let isCanceled = Atomic(false)
  private var response = HTTPResponse(status: 0)
  private var isTooLong = false

  /// Ends the transfer within a second. May be called on any thread.
  func cancel() { isCanceled.store(true, ordering: .relaxed) }

  /// - Parameter report: called with the outcome, before the memory of libcurl is released: that may wait for the
  ///   resolver.
  func run(
    _ request: HTTPRequest, _ client: HTTPClient,
    _ report: (Result<HTTPResponse, HTTPFailure>) -> Void
  ) {
    Thread.blockBrokenPipeSignal()
    guard CCurl_load(), let handle = unsafe CCurl_easy_init() else {
      return report(.failure(.noLibrary))
    }
    defer { unsafe CCurl_easy_cleanup(handle) }
    let headers = unsafe list(request.headers.map { "\($0.name): \($0.value)" })
    let connectTo = unsafe list(request.isDirect ? [] : client.connectTo)
    defer {
      unsafe CCurl_slist_free_all(headers)
      unsafe CCurl_slist_free_all(connectTo)
    }
    do throws(HTTPFailure) {
      // libcurl would request what is before it.
      guard !request.url.utf8.contains(0) else { throw .invalidURL }
      var options = unsafe CurlOptions(handle)
      unsafe options.set(CURLOPT_URL, request.url)
      options.set(CURLOPT_TIMEOUT_MS, Int(request.timeout / .milliseconds(1)))
      unsafe options.set(CURLOPT_HTTPHEADER, headers)
      unsafe options.set(CURLOPT_CONNECT_TO, connectTo)
      options.trust(client.trust)
      let proxy = try request.proxy(client.proxy)
      let login = unsafe list(proxy?.authorization.map { ["Proxy-Authorization: \($0)"] } ?? [])
      defer { unsafe CCurl_slist_free_all(login) }
      unsafe options.set(CURLOPT_PROXYHEADER, login)
      unsafe options.set(
        CURLOPT_PROXY, proxy.map { ($0.usesTLS ? "" : "http://") + $0.description } ?? "")
      // libcurl copies it, and sends a POST.
      if let body = request.body { unsafe options.set(CURLOPT_COPYPOSTFIELDS, body) }
      options.note(unsafe setCallbacks(of: handle))
      if let failure = options.failure { throw self.failure(failure) }
      report(.success(try unsafe perform(handle)))
    } catch {
      report(.failure(error))
    }
  }

  /// The caller frees it; nil if it is empty.
  private func list(_ texts: [String]) -> UnsafeMutablePointer<curl_slist>? {
    unsafe texts.reduce(nil) { list, text in unsafe CCurl_slist_append(list, text) }
  }

  private func setCallbacks(of handle: UnsafeMutableRawPointer) -> CURLcode {
    unsafe CCurl_set_callbacks(
      handle,
      { bytes, size, count, context in
        unsafe HTTPTransfer.of(context)?.receive(
          header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      { bytes, size, count, context in
        unsafe HTTPTransfer.of(context)?.receive(
          body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      { context, _, _, _, _ in
        unsafe HTTPTransfer.of(context)?.isCanceled.load(ordering: .relaxed) == false ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func perform(_ handle: UnsafeMutableRawPointer) throws(HTTPFailure) -> HTTPResponse {
    let code = unsafe CCurl_easy_perform(handle)
    guard code == CURLE_OK else {
      let status = unsafe CCurl_number(handle, CURLINFO_HTTP_CONNECTCODE)
      throw status >= 300 ? .refusedByProxy(status: status) : failure(code)
    }
    response.status = unsafe CCurl_number(handle, CURLINFO_RESPONSE_CODE)
    return response
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    unsafe context.map { unsafe Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func receive(header bytes: UnsafeRawBufferPointer) -> Int {
    guard response.headers.count < 100 else {
      isTooLong = true
      return 0
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    response.headers.append(String(line.prefix { !$0.isNewline }))
    return bytes.count
  }

  private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    guard response.body.count + bytes.count <= HTTPClient.longest else {
      isTooLong = true
      return 0
    }
    unsafe response.body.append(contentsOf: bytes)
    return bytes.count
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    if isTooLong { return .tooLong }
    return switch code {
    case CURLE_ABORTED_BY_CALLBACK: .canceled
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
    case CURLE_COULDNT_CONNECT: .refused
    case CURLE_PEER_FAILED_VERIFICATION: .untrusted
    case CURLE_SSL_CACERT_BADFILE: .noRoots
    default: .other(unsafe String(cString: CCurl_easy_strerror(code)))
    }
  }
}

/// The options of a transfer.
@safe
private struct CurlOptions {
  private let handle: UnsafeMutableRawPointer
  /// The error of the first option that libcurl does not accept.
  private(set) var failure: CURLcode?

  /// Sets what all transfers share.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = unsafe handle
    // Otherwise libcurl uses signals to time out.
    set(CURLOPT_NOSIGNAL, 1)
    // CURLOPT_QUICK_EXIT, since 7.87: a canceled transfer does not wait for the resolver.
    _ = unsafe CCurl_set_number(handle, CURLoption(rawValue: 322), 1)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // The proxy and its exceptions are ours, as for calls.
    unsafe set(CURLOPT_NOPROXY, "")
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    note(unsafe CCurl_set_number(handle, option, value))
  }

  /// - Parameter value: a text, a list or a block of bytes.
  mutating func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
    note(unsafe CCurl_set_pointer(handle, option, value))
  }

  /// Trusts these CA certificates and no others.
  mutating func trust(_ trust: TLSConfiguration.Trust) {
    var (file, folder): (String?, String?) = (nil, nil)
    switch trust {
    case .system:
      // Those of libcurl, unless OpenSSL has others.
      let environment = Environment.process
      (file, folder) = (environment["SSL_CERT_FILE"], environment["SSL_CERT_DIR"])
      if file == nil, folder == nil { return }
    case .file(let path): file = path
    case .pem(let text):
      unsafe text.withUnsafeBytes { bytes in
        var block = unsafe curl_blob(
          data: UnsafeMutableRawPointer(mutating: bytes.baseAddress), len: bytes.count,
          flags: UInt32(CURL_BLOB_COPY))
        unsafe set(CURLOPT_CAINFO_BLOB, &block)
        unsafe set(CURLOPT_PROXY_CAINFO_BLOB, &block)
      }
    }
    for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { unsafe set(option, file) }
    // Debian's libcurl has a folder of its own.
    for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { unsafe set(option, folder) }
  }

  mutating func note(_ code: CURLcode) {
    if code != CURLE_OK, failure == nil { failure = code }
  }
}

extension HTTPRequest {
  /// Returns the proxy to use; nil for none.
  fileprivate func proxy(
    _ source: ChannelConfiguration.ProxySource
  ) throws(HTTPFailure) -> Proxy? {
    // A request to this machine may have a credential in plaintext.
    guard !isDirect, !isOnThisMachine else { return nil }
    do throws(ProxyURLError) {
      switch source {
      case .none: return nil
      case .url(let url): return try Proxy(url)
      case .environment:
        guard let place else { return nil }
        return try ProxyEnvironment.process.proxy(
          for: place.host, port: place.port ?? (isURL("https://") ? 443 : 80))
      }
    } catch {
      throw .invalidProxy(error.reason)
    }
  }
}
