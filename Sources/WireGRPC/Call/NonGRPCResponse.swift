/// A response of a proxy or of a server that does not speak gRPC. The start of its body may give the reason.
final class NonGRPCResponse {
  private let error: CallError
  private var body: [UInt8] = []
  private var title: PageTitle?

  /// How much of the body is shown, in bytes.
  private static let snippetSize = 256
  /// How much of a page is searched for its title, in bytes.
  private static let longestHead = 4096
  /// How long to wait for the body. The stream may stay open, and the call may have no deadline.
  static let timeLimit = Duration.seconds(1)

  init(_ error: CallError) {
    self.error = error
    if case .webPage = error.cause { title = PageTitle() }
  }

  /// Returns whether enough of the body has arrived.
  func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
    let limit = title == nil ? Self.snippetSize : Self.longestHead
    for byte in bytes.prefix(limit - body.count) {
      body.append(byte)
      title?.receive(byte)
    }
    return body.count == limit || body.count >= Self.snippetSize && title?.isOver == true
  }

  var withBody: CallError {
    var error = error
    if let text = title?.text { error.cause = .webPage(title: text) }
    guard !body.isEmpty else { return error }
    let start = String(decoding: body.prefix(Self.snippetSize), as: UTF8.self)
    error.message += "; its body begins with \"\(start.shortened(to: Self.snippetSize))\""
    return error
  }
}
