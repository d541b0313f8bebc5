import Tripwire
import WireProtobuf

package struct PageOptions: Sendable {
  package struct Tiles: Sendable {
    package var address: TileAddress
    /// The credits that the map shows.
    var attribution: String

    package init(address: TileAddress, attribution: String) {
      self.address = address
      self.attribution = attribution
    }
  }

  /// Nil shows a graticule, which needs no network.
  var tiles: Tiles?

  /// The names of the resources in the order in which the page lists them.
  package var names: [String] = []

  /// Whether an app serves the page, and receives the taps on markers. Otherwise the command does.
  var isOfApp: Bool

  package init(tiles: Tiles? = nil, isOfApp: Bool = false) {
    self.tiles = tiles
    self.isOfApp = isOfApp
  }

  var json: [UInt8] {
    JSONWriter.objectBytes { json in
      json.objects("kinds", ResourceKind.allCases) { json, kind in
        json.member("key", kind.jsonKey)
        json.member("collection", kind.rawValue)
        json.member("noun", kind.noun)
      }
      json.member("tiles", tiles?.address.url)
      json.member("attribution", tiles?.attribution)
      if !names.isEmpty { json.member("names", names) }
      if isOfApp { json.member("app", true) }
    }
  }
}
