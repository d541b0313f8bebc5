import HTTPServer
import TripwireCLI

/// Serves the page of `tripwire map`.
final class BrowserServer: PageServer {
  private let server: HTTPServer

  init(_ request: PageServerRequest) throws(PageServerError) {
    var options = HTTPServerOptions(files: request.files)
    options.host = request.host.isEmpty ? "0.0.0.0" : request.host
    options.port = request.port
    options.imageSources = request.tileOrigin.map { [$0] } ?? []
    if request.allowsRemote { options.allowOtherMachines() }
    do throws(HTTPServerError) {
      server = try HTTPServer(options)
    } catch {
      throw PageServerError(message: "\(error)", hint: error.hint)
    }
  }

  var url: String { server.url }
  var pageCount: Int { server.connectedPages }

  func publish(_ name: String, _ frame: [UInt8]) { server.publish(name, frame) }

  func stop() { server.finish() }
}
