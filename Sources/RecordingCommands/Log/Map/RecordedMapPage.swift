import CommandResources
package import CommandShell
import MapPage
import RecordingAnalysis
import Tripwire

/// The page with a map, which shows one log or two.
final class RecordedMapPage {
  /// The largest size of the data in bytes: a browser has to hold it.
  private static let limit = 256 << 20

  /// The observers of a recording and the log of the server.
  static let bothSides = [
    RecordedMap.Observer(name: "client", letter: "C"),
    RecordedMap.Observer(name: "server", letter: "S"),
  ]

  /// Two, or none if one side recorded the calls. A resource of the server has the second one.
  let observers: [RecordedMap.Observer]
  let file: OutputFile
  var map: RecordedMap
  private let options: MapOptions
  private let leaflet: LeafletFiles
  private let console: Console
  /// The names of the resources, each of which both observers may have.
  private var names: Set<String> = []
  private var isLimited = false
  private var hasTruncatedMessage = false

  /// - Throws: a report if Leaflet is not installed, or the page cannot be created.
  init(
    to path: String, _ options: MapOptions, observers: [RecordedMap.Observer] = [],
    _ console: Console
  ) throws(ErrorReport) {
    self.observers = observers
    self.options = options
    self.console = console
    map = RecordedMap(observers: observers)
    leaflet = try options.leafletFiles()
    file = try OutputFile(path, for: "--map", replacing: .mapPage)
  }

  func add(_ call: RecordedMap.Call) throws(ErrorReport) {
    map.add(call)
    guard map.size <= Self.limit else {
      throw ErrorReport(
        local: "\(file.name): the map needs more than \(Self.limit >> 20) MiB",
        hint: "select fewer calls with --since, --until or --resource")
    }
  }

  /// Notes the end of a log.
  ///
  /// - Parameter names: those of its resources.
  func end(_ timeline: ResourceTimeline, _ names: [String]) {
    self.names.formUnion(names)
    isLimited = isLimited || timeline.isLimited
    hasTruncatedMessage = hasTruncatedMessage || timeline.hasTruncatedMessage
  }

  /// Writes the page, and a line about its contents on stderr.
  func write() throws(ErrorReport) {
    guard map.callCount > 0 else {
      throw .noCalls(for: file.name)
    }
    guard let data = map.gzipped() else {
      throw ErrorReport(local: "\(file.name): not enough memory")
    }
    let page = MapDocument.html(leaflet, options.page, gzippedRecording: data)
    try file.write(page)
    try file.finish()
    let counts = ResourceKind.counts { kind in
      names.count { ResourceKind(ofName: $0) == kind }
    }
    let contents =
      [Units.count(map.callCount, "call")] + (counts.isEmpty ? ["0 trips"] : counts)
      + [Units.bytes(page.count)]
    console.error("\(file.place): \(contents.joined(separator: ", "))\n")
    if isLimited {
      console.warn("only the first \(ResourceTimeline.limit) resources are on the map")
    }
    if map.tripCount == 0 {
      console.warn(
        hasTruncatedMessage
          ? "messages in the recording are truncated, so the map is empty;"
            + " \(ErrorReport.recordWholeMessages)"
          : "the recording has no trips and no deliveries, so the map is empty")
    }
  }
}

extension OutputFile.Kind {
  package static let mapPage = OutputFile.Kind(name: "a map page") { MapDocument.isPage($0) }
}
