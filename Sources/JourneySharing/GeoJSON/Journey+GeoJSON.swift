package import Tripwire
package import WireProtobuf

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
    JSONWriter.objectBytes { json in
      json.member("type", "FeatureCollection")
      json.member("name", name.isEmpty ? nil : name)
      json.member("status", statusName)
      let everything = polylines.flatMap(\.points) + markers.map(\.position)
      json.member("bbox", MapBounds(everything))
      json.member("features") { json in
        json.beginArray()
        for polyline in polylines {
          json.next()
          json.write(polyline) { json in json.geometry(of: polyline) }
        }
        for marker in markers {
          json.next()
          json.write(marker)
        }
        json.endArray()
      }
    }
  }

  /// The features of ``geoJSON()``, each by itself. In place of `coordinates`, a line has `paths`:
  /// its parts as encoded polylines with six decimals. A place also has `icon`, `anchor` (from 0 to
  /// 1), `flat` and `z-index` if its style has them.
  ///
  /// - Parameter withDistances: whether the lines of the route also have `meters`: for each point the distance
  ///   from the start of the active route.
  package func compactFeatures(withDistances: Bool = false) -> [[UInt8]] {
    polylines.map { polyline in
      JSONWriter.bytes { json in
        json.write(polyline) { json in
          json.member("type", "MultiLineString")
          let start = withDistances && polyline.speed == nil ? distance(to: polyline) : nil
          json.members(ofPath: polyline.points, from: start)
        }
      }
    } + markers.map { marker in JSONWriter.bytes { $0.write(marker, withStyle: true) } }
  }
}

extension Journey {
  /// The distance from the start of the active route to that of a line, in meters.
  private func distance(to polyline: Polyline) -> Double {
    guard polyline.kind == .remainingRoute else { return 0 }
    let active = polylines.first { $0.kind == .activeRoute && $0.speed == nil }
    return active.flatMap { length(of: $0.points) } ?? 0
  }
}

extension JSONWriter {
  /// Writes `paths`, the parts of a line as encoded polylines with six decimals, and `meters`.
  ///
  /// - Parameter start: the distance at the first point, in meters; nil omits the distances.
  package mutating func members(ofPath points: [LatLng], from start: Double?) {
    let parts = points.cutAtAntimeridian()
    // The points of a journey are valid.
    member("paths", parts.map { (try? EncodedPolyline.encode($0, precision: .sixDecimals)) ?? "" })
    guard var meters = start else { return }
    member("meters", parts) { json, part in
      json.array(part.indices) { json, index in
        if index > 0 { meters += distance(part[index - 1], part[index]) }
        json.put(number: Int(meters.rounded()))
      }
    }
  }

  /// Writes a member with west, south, east and north in degrees, unless the bounds are nil.
  package mutating func member(_ name: String, _ bounds: MapBounds?) {
    guard let bounds else { return }
    member(name) { json in
      json.numbers([
        bounds.southwest.longitude, bounds.southwest.latitude,
        bounds.northeast.longitude, bounds.northeast.latitude,
      ])
    }
  }

  fileprivate mutating func geometry(of polyline: Journey.Polyline) {
    let parts = polyline.points.cutAtAntimeridian()
    member("type", parts.count == 1 ? "LineString" : "MultiLineString")
    member("coordinates") { json in
      if parts.count == 1 {
        json.line(parts[0])
      } else {
        json.array(parts) { $0.line($1) }
      }
    }
  }

  fileprivate mutating func write(
    _ polyline: Journey.Polyline, geometry: (inout JSONWriter) -> Void
  ) {
    feature(geometry: geometry) { json in
      json.member("kind", polyline.kind.rawValue)
      json.member("speed", polyline.speed?.name)
      json.member("stroke", polyline.style.color.hex)
      json.member("stroke-width", decimal: polyline.style.width)
      json.member("stroke-opacity", decimal: Double(polyline.style.color.alpha) / 255)
    }
  }

  fileprivate mutating func write(_ marker: Journey.Marker, withStyle: Bool = false) {
    feature { json in
      json.member("type", "Point")
      json.member("coordinates") { $0.position(marker.position) }
    } properties: { json in
      json.member("kind", marker.kind.rawValue)
      json.member("index", marker.index)
      json.member("heading", decimal: marker.heading)
      if marker.kind == .vehicle { json.member("snapped", marker.isSnapped) }
      json.member("accuracy", decimal: marker.accuracy)
      if let raw = marker.rawPosition { json.member("raw") { $0.position(raw) } }
      json.member("marker-color", marker.style.color.hex)
      if withStyle {
        json.members(of: marker.style)
      } else {
        json.member("marker-symbol", marker.style.icon)
      }
    }
  }

  private mutating func members(of style: JourneyStyle.Marker) {
    if style.zIndex != 0 { member("z-index", style.zIndex) }
    guard let icon = style.icon else { return }
    member("icon", icon)
    member("anchor") { $0.numbers([style.anchor.x, style.anchor.y]) }
    if style.isFlat { member("flat", true) }
  }

  private mutating func feature(
    geometry: (inout JSONWriter) -> Void, properties: (inout JSONWriter) -> Void
  ) {
    object { json in
      json.member("type", "Feature")
      json.object("geometry", geometry)
      json.object("properties", properties)
    }
  }

  private mutating func line(_ points: [LatLng]) {
    array(points) { $0.position($1) }
  }

  private mutating func position(_ point: LatLng) {
    numbers([point.longitude, point.latitude])
  }

  private mutating func numbers(_ numbers: [Double]) {
    array(numbers) { $0.put(decimal: $1) }
  }
}
