import CommandLine
import CommandResources
import CommandShell
import FleetEmulator
import HTTPServer
import MapPage
import Tripwire
import WireProtobuf
import WireSystem

/// A page in browsers with the vehicles of an emulated fleet.
struct EmulatorMap {
  /// More would make pages slow.
  private static let most = 1_000

  private let fleet: EmulatedFleet
  private let isVirtual: Bool
  private let server: HTTPServer
  /// The vehicles on the page, in binary form.
  private var shown: [String: [UInt8]] = [:]

  var url: String { server.url }

  /// Starts to serve the page. An address that other machines can reach gets a random key in its path.
  ///
  /// - Parameter isVirtual: whether the time of the fleet is not that of the system.
  init(
    _ fleet: EmulatedFleet, isVirtual: Bool, at address: PageAddress, _ options: MapOptions
  ) throws(ErrorReport) {
    var served = HTTPServerOptions(files: ServedFile.page(try options.leafletFiles(), options.page))
    served.listen(at: address)
    served.imageSources = options.tiles.map { [$0.origin] } ?? []
    if !address.isLoopback { served.allowOtherMachines() }
    self.fleet = fleet
    self.isVirtual = isVirtual
    server = try mapError(HTTPServer(served)) { (error: HTTPServerError) in
      ErrorReport(local: escaped("--map: \(error)"), hint: error.hint)
    }
  }

  func stop() { server.finish() }

  /// Sends the changes to the pages, if there are any.
  mutating func publish() {
    guard server.connectedPages > 0, let (vehicles, time) = fleet.vehicles(most: Self.most)
    else { return }
    let wall = WallTime.now
    let before = shown
    shown = [:]
    for vehicle in vehicles {
      let bytes = vehicle.message.serializedBytes()
      shown[vehicle.name] = bytes
      guard before[vehicle.name] != bytes else { continue }
      var facts = MapFacts(vehicle, updated: wall)
      if isVirtual { facts.delay = wall - time.secondsSince1970 }
      server.publish(vehicle.name, MapFrame(facts).json)
    }
    for name in before.keys where shown[name] == nil { server.remove(name) }
  }
}
