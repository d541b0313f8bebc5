import MapServer
import TripwireCLI

/// Serves the page of `tripwire map`.
final class BrowserServer: PageServer {
  private let server: MapServer

  init(_ request: PageServerRequest) throws(PageServerError) {
    var options = MapServerOptions(files: request.files)
    options.host = request.host.isEmpty ? "0.0.0.0" : request.host
    options.port = request.port
    options.imageSources = request.tileOrigin.map { [$0] } ?? []
    if request.allowsRemote { options.allowOtherMachines() }
    do throws(MapServerError) {
      server = try MapServer(options)
    } catch {
      throw PageServerError(message: "\(error)", hint: error.hint)
    }
  }

  var url: String { server.url }
  var pageCount: Int { server.connectedPages }

  func publish(_ name: String, _ frame: [UInt8]) { server.publish(name, frame) }

  func stop() { server.finish() }
}
