import JourneySharing

/// The options of the page.
package struct PageOptions: Sendable {
  /// The tiles of a base map.
  package struct Tiles: Sendable {
    /// The address of a tile with the placeholders {z}, {x} and {y}.
    package var url: String
    /// The scheme and the host of the address, for the Content-Security-Policy.
    package var origin: String
    /// The credits that the map shows.
    package var attribution: String

    package init(url: String, origin: String, attribution: String) {
      self.url = url
      self.origin = origin
      self.attribution = attribution
    }
  }

  /// Nil shows a graticule, which needs no network.
  package var tiles: Tiles?

  /// Whether an app serves the page, and receives the taps on markers. Otherwise the command does.
  package var isOfApp: Bool

  package init(tiles: Tiles? = nil, isOfApp: Bool = false) {
    self.tiles = tiles
    self.isOfApp = isOfApp
  }

  var json: [UInt8] {
    var json = GeoJSONWriter()
    json.object { json in
      if let tiles {
        json.member("tiles", tiles.url)
        json.member("attribution", tiles.attribution)
      }
      if isOfApp { json.member("app") { $0.bool(true) } }
    }
    return json.bytes
  }
}
