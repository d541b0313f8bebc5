import CCurl
import Synchronization

/// One request and its response, on one thread.
///
/// Sendable because `outcome` is called once, on the thread of the transfer, which alone uses the other properties;
/// only the atomic is shared.
final class HTTPTransfer: @unchecked Sendable {
  private let isCanceled = Atomic(false)
  private var response = HTTPResponse(status: 0)
  private var isTooLong = false

  /// Ends the transfer within a second. May be called on any thread.
  func cancel() { isCanceled.store(true, ordering: .relaxed) }

  func outcome(
    of request: HTTPRequest, _ client: HTTPClient
  ) -> Result<HTTPResponse, HTTPFailure> {
    guard CCurl_load(), let handle = unsafe CCurl_easy_init() else { return .failure(.noLibrary) }
    defer { unsafe CCurl_easy_cleanup(handle) }
    let headers = unsafe list(request.headers.map { "\($0.name): \($0.value)" })
    let connectTo = unsafe list(client.connectTo)
    defer {
      unsafe CCurl_slist_free_all(headers)
      unsafe CCurl_slist_free_all(connectTo)
    }
    let timeout = max(1, Int(request.timeout / .milliseconds(1)))
    _ = unsafe CCurl_set_text(handle, CURLOPT_URL, request.url)
    // Otherwise libcurl uses signals to time out.
    _ = unsafe CCurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    _ = unsafe CCurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout)
    _ = unsafe CCurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    _ = unsafe CCurl_set_list(handle, CURLOPT_CONNECT_TO, connectTo)
    if let file = client.trustFile { _ = unsafe CCurl_set_text(handle, CURLOPT_CAINFO, file) }
    switch request.isDirect ? .none : client.proxy {
    case .environment: break
    case .none: _ = unsafe CCurl_set_text(handle, CURLOPT_PROXY, "")
    case .url(let url): _ = unsafe CCurl_set_text(handle, CURLOPT_PROXY, url)
    }
    guard let body = request.body else { return unsafe perform(handle) }
    return unsafe body.withUnsafeBytes { bytes in
      _ = unsafe CCurl_set_number(handle, CURLOPT_POST, 1)
      _ = unsafe CCurl_set_number(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
      _ = unsafe CCurl_set_text(
        handle, CURLOPT_POSTFIELDS, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
      return unsafe perform(handle)
    }
  }

  /// The caller frees it; nil if it is empty.
  private func list(_ texts: [String]) -> UnsafeMutablePointer<curl_slist>? {
    unsafe texts.reduce(nil) { list, text in unsafe CCurl_slist_append(list, text) }
  }

  private func perform(_ handle: UnsafeMutableRawPointer) -> Result<HTTPResponse, HTTPFailure> {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe CCurl_set_receivers(
      handle,
      { bytes, size, count, context in
        unsafe HTTPTransfer.of(context)?.receive(
          header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      { bytes, size, count, context in
        unsafe HTTPTransfer.of(context)?.receive(
          body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }, context)
    _ = unsafe CCurl_set_poll(
      handle,
      { context, _, _, _, _ in
        unsafe HTTPTransfer.of(context)?.isCanceled.load(ordering: .relaxed) == false ? 0 : 1
      }, context)
    let code = unsafe CCurl_easy_perform(handle)
    guard code == CURLE_OK else { return .failure(failure(code)) }
    response.status = unsafe CCurl_status(handle)
    return .success(response)
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
    case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
    case CURLE_COULDNT_CONNECT: .refused
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .untrusted
    default: .other(unsafe String(cString: CCurl_easy_strerror(code)))
    }
  }
}
