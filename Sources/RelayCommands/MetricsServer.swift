import CommandLine
import CommandResources
import CommandShell
import HTTPServer
import TripRelay

/// Serves the metrics of a worker over HTTP.
struct MetricsServer {
  private let server: HTTPServer

  /// - Parameter text: returns the metrics; called on the server's thread.
  init(
    _ address: PageAddress, allowsRemote: Bool, text: @escaping @Sendable () -> String
  ) throws(ErrorReport) {
    var options = HTTPServerOptions(files: [])
    options.computedFiles = [
      ComputedFile(path: Self.path, contentType: WorkerMetrics.contentType) { Array(text().utf8) }
    ]
    options.listen(at: address)
    // No page shows trips.
    options.limits.pages = 0
    if allowsRemote { options.allowOtherMachines(withKey: false) }
    do throws(HTTPServerError) {
      server = try HTTPServer(options)
    } catch {
      throw ErrorReport(local: escaped("--metrics: \(error)"), hint: error.hint)
    }
  }

  private static let path = "metrics"

  var url: String { server.url + Self.path }

  func stop() { server.stop() }
}
