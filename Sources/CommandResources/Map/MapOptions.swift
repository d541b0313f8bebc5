package import CommandLine
package import CommandShell
package import MapPage

package struct MapOptions: Sendable {
  var leaflet: String?
  package var tiles: TileAddress?
  var attribution = ""

  package init() {}

  package static let all: [Option<MapOptions>] = [
    .value(
      "tiles", "URL", .map,
      "draw a base map from URL, with {z}, {x} and {y}\nFor example"
        + " https://tiles.example.com/{z}/{x}/{y}.png. Without a base map the page shows a graticule and"
        + " makes no requests to other servers.",
      parse: Parse.tiles, store: { $0.tiles = $1 }
    ).inProfiles(),
    .value(
      "attribution", "TEXT", .map, "show TEXT as the credits of the base map",
      parse: Parse.text, store: { $0.attribution = $1 }
    ).inProfiles().requiring("tiles"),
    .value(
      "leaflet", "DIR", .map,
      "read leaflet.min.js and leaflet.css from DIR\nWithout leaflet.min.js, leaflet.js is read. Default:"
        + " share/tripwire/leaflet under the PREFIX of make"
        + " install, or else the directory of the Debian package libjs-leaflet.",
      parse: Parse.text, store: { $0.leaflet = $1 }
    ).inFullHelpOnly().inProfiles(),
  ]

  package var page: PageOptions {
    PageOptions(
      tiles: tiles.map {
        PageOptions.Tiles(address: $0, attribution: attribution)
      })
  }

  package func leafletFiles() throws(ErrorReport) -> LeafletFiles {
    do throws(LeafletError) {
      return try LeafletFiles(in: leaflet)
    } catch {
      let option = leaflet.map { "--leaflet \(escaped($0)): " } ?? ""
      throw ErrorReport(
        local: option + escaped(error.message), of: leaflet.map { _ in "--leaflet" },
        hint: error.hint)
    }
  }
}

extension Parse {
  static func tiles(_ text: String) throws(InvalidValue) -> TileAddress {
    do throws(TileAddress.Invalid) {
      return try TileAddress(text)
    } catch {
      throw InvalidValue(error.reason, mayBeShown: !text.contains("@"), hint: error.hint)
    }
  }
}
