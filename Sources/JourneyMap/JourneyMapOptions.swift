/// Options for a map in a browser: access, base map and icons.
public struct JourneyMapOptions: Sendable, Hashable {
  /// Whether the page may be served on an address that other machines can reach, such as `0.0.0.0`. The
  /// URL then contains a random key. The connection is not encrypted. False by default.
  public var allowsRemote = false
  /// The origins of icons with an `https` or `http` URL, such as `https://icons.example`. Icons of
  /// other origins are not loaded.
  public var imageOrigins: [String] = []
  /// The address of the tiles of a base map, such as `https://tiles.example.com/{z}/{x}/{y}.png`. The
  /// requests for tiles reveal the shown area. Nil, the default, shows lines of latitude and longitude, and loads
  /// nothing from other servers.
  public var tiles: String?
  /// The credits of the base map.
  public var attribution = ""
  /// The directory that contains `leaflet.css` and `leaflet.min.js`, or else `leaflet.js`. Nil means
  /// `../share/tripwire/leaflet`, relative to the directory of the executable, or else the Debian
  /// package libjs-leaflet.
  public var leafletDirectory: String?

  /// Creates the default options: a map for this machine only, without a base map.
  public init() {}
}
