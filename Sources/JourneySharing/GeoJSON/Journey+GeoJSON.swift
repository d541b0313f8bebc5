import Tripwire

extension Journey {
  /// Returns the text of ``geoJSON()``.
  public func geoJSONString() -> String { String(decoding: geoJSON(), as: UTF8.self) }

  /// Returns the journey as a `FeatureCollection` (RFC 7946) in UTF-8, for geojson.io, QGIS or a web map.
  ///
  /// - Lines come first, then places, in drawing order. Coordinates are longitude and latitude in
  ///   degrees with seven decimals, which is about a centimeter.
  /// - `bbox` contains all coordinates. If it crosses the antimeridian, its western longitude is
  ///   greater than its eastern one (RFC 7946 §5.2). A line across the antimeridian is cut there
  ///   and becomes a `MultiLineString`.
  /// - A line has the properties `kind` (`activeRoute`, `remainingRoute`), `speed` for a stretch
  ///   with a known speed of traffic (`NORMAL`, `SLOW`, `TRAFFIC_JAM`), and `stroke`,
  ///   `stroke-width`, `stroke-opacity` of the simplestyle convention.
  /// - A place has `kind` (`pickup`, `intermediateDestination`, `dropoff`, `vehicle`), `index` for
  ///   an intermediate destination and any stop of a vehicle, `marker-color`, and `marker-symbol` if it has an icon.
  /// - The vehicle also has `heading` (degrees), `snapped`, `accuracy` (meters), and `raw` if it
  ///   has a ``Marker/rawPosition``.
  /// - `name` and `status` of the resource are foreign members of the collection (RFC 7946 §6.1).
  public func geoJSON() -> [UInt8] {
    var json = GeoJSONWriter()
    json.object { json in
      json.member("type", "FeatureCollection")
      if !name.isEmpty { json.member("name", name) }
      if let status = statusName { json.member("status", status) }
      let everything = polylines.flatMap(\.points) + markers.map(\.position)
      if let bounds = MapBounds(everything) {
        json.member("bbox") { $0.bounds(bounds) }
      }
      json.member("features") { json in
        json.array { json in
          for polyline in polylines {
            json.element { json in
              json.write(polyline) { json in json.geometry(of: polyline) }
            }
          }
          for marker in markers { json.element { $0.write(marker) } }
        }
      }
    }
    return json.bytes
  }

  /// The features of ``geoJSON()``, each by itself. In place of `coordinates`, a line has `paths`:
  /// its parts as encoded polylines with six decimals. A place also has `icon`, `anchor` (from 0 to
  /// 1), `flat` and `z-index` if its style has them.
  package func compactFeatures() -> [[UInt8]] {
    polylines.map { polyline in
      var json = GeoJSONWriter()
      json.write(polyline) { json in json.compactGeometry(of: polyline) }
      return json.bytes
    }
      + markers.map { marker in
        var json = GeoJSONWriter()
        json.write(marker, withStyle: true)
        return json.bytes
      }
  }
}

extension GeoJSONWriter {
  /// Writes west, south, east and north in degrees.
  package mutating func bounds(_ bounds: MapBounds) {
    numbers([
      bounds.southwest.longitude, bounds.southwest.latitude,
      bounds.northeast.longitude, bounds.northeast.latitude,
    ])
  }

  fileprivate mutating func geometry(of polyline: Journey.Polyline) {
    let parts = polyline.points.cutAtAntimeridian()
    member("type", parts.count == 1 ? "LineString" : "MultiLineString")
    member("coordinates") { json in
      if parts.count == 1 {
        json.line(parts[0])
      } else {
        json.array { json in
          for part in parts { json.element { $0.line(part) } }
        }
      }
    }
  }

  fileprivate mutating func compactGeometry(of polyline: Journey.Polyline) {
    let parts = polyline.points.cutAtAntimeridian()
    member("type", "MultiLineString")
    member("paths") { json in
      json.array { json in
        for part in parts {
          // The points of a journey are valid.
          let path = (try? EncodedPolyline.encode(part, precision: .sixDecimals)) ?? ""
          json.element { $0.string(path) }
        }
      }
    }
  }

  fileprivate mutating func write(
    _ polyline: Journey.Polyline, geometry: (inout GeoJSONWriter) -> Void
  ) {
    feature(geometry: geometry) { json in
      json.member("kind", polyline.kind.rawValue)
      if let speed = polyline.speed?.name { json.member("speed", speed) }
      json.member("stroke", polyline.style.color.hex)
      json.member("stroke-width", polyline.style.width)
      json.member("stroke-opacity", Double(polyline.style.color.alpha) / 255)
    }
  }

  fileprivate mutating func write(_ marker: Journey.Marker, withStyle: Bool = false) {
    feature { json in
      json.member("type", "Point")
      json.member("coordinates") { $0.position(marker.position) }
    } properties: { json in
      json.member("kind", marker.kind.rawValue)
      if let index = marker.index { json.member("index", Double(index)) }
      if let heading = marker.heading { json.member("heading", heading) }
      if marker.kind == .vehicle { json.member("snapped") { $0.bool(marker.isSnapped) } }
      if let accuracy = marker.accuracy { json.member("accuracy", accuracy) }
      if let raw = marker.rawPosition { json.member("raw") { $0.position(raw) } }
      json.member("marker-color", marker.style.color.hex)
      if withStyle {
        json.members(of: marker.style)
      } else if let icon = marker.style.icon {
        json.member("marker-symbol", icon)
      }
    }
  }

  private mutating func members(of style: JourneyStyle.Marker) {
    if style.zIndex != 0 { member("z-index", Double(style.zIndex)) }
    guard let icon = style.icon else { return }
    member("icon", icon)
    member("anchor") { $0.numbers([style.anchor.x, style.anchor.y]) }
    if style.isFlat { member("flat") { $0.bool(true) } }
  }

  private mutating func feature(
    geometry: (inout GeoJSONWriter) -> Void, properties: (inout GeoJSONWriter) -> Void
  ) {
    object { json in
      json.member("type", "Feature")
      json.member("geometry") { $0.object(geometry) }
      json.member("properties") { $0.object(properties) }
    }
  }

  private mutating func line(_ points: [LatLng]) {
    array { json in
      for point in points { json.element { $0.position(point) } }
    }
  }

  private mutating func position(_ point: LatLng) {
    numbers([point.longitude, point.latitude])
  }
}
