import MapPage
import MapServer
import TripwireCLI
import WireSystem

/// Serves the page of `tripwire map`.
final class BrowserServer: PageServer {
  private let server: MapServer

  /// How many times 10 ms `stop` waits at most, until the pages have received the end of the stream.
  private static let stopSteps = 30

  init(_ request: PageServerRequest) throws(PageServerError) {
    var options = MapServerOptions(
      files: request.files.map {
        MapServerFile(path: $0.path, contentType: $0.contentType, bytes: $0.bytes)
      })
    options.host = request.host.isEmpty ? "0.0.0.0" : request.host
    options.port = request.port
    options.imageSource = request.tileOrigin
    if request.allowsRemote {
      options.key = MapServerOptions.randomKey()
      options.hostNames = Self.hostName.map { [$0] } ?? []
    }
    do throws(MapServerError) {
      server = try MapServer(options)
    } catch {
      throw PageServerError(message: "\(error)", hint: error.hint)
    }
  }

  var url: String { server.url }
  var pageCount: Int { server.connectedPages }

  func publish(_ trip: String, _ frame: [UInt8]) { server.publish(trip, frame) }

  func stop() {
    server.end()
    for _ in 0..<Self.stopSteps where server.connectedPages > 0 { poll(nil, 0, 10) }
    server.stop()
  }

  /// The name of this machine.
  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
