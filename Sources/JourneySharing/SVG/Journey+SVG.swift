import Tripwire

extension Journey {
  /// Returns the text of ``svg(caption:width:height:)``.
  public func svgString(caption: String? = nil, width: Int = 640, height: Int = 480) -> String {
    String(decoding: svg(caption: caption, width: width, height: height), as: UTF8.self)
  }

  /// Returns a static picture of the journey as SVG 1.1 in UTF-8, less than 50 kB: the routes, the
  /// stops, the vehicle, a scale bar, and a caption.
  ///
  /// It shows the whole journey on a plain background. North is up. If the SVG would exceed
  /// 50 kB, lines have fewer points. If that is not enough, the speed of traffic is left out, and so are
  /// all markers except the last 100.
  ///
  /// - Parameters:
  ///   - caption: the text below the map; nil for the name and the status.
  ///   - width: in pixels, 160 to 4,096.
  ///   - height: in pixels, 160 to 4,096.
  public func svg(caption: String? = nil, width: Int = 640, height: Int = 480) -> [UInt8] {
    let size = (max(160, min(width, 4_096)), max(160, min(height, 4_096)))
    let caption = caption ?? [name, statusName ?? ""].joined(separator: "  ")
    // The loop ends: with a tolerance as large as the picture, a line has two points.
    var tolerance = 0.5
    var journey = self
    while true {
      var picture = JourneyPicture(size: size, tolerance: tolerance)
      let svg = picture.svg(of: journey, caption: caption)
      if svg.count < Self.largestPicture || tolerance > 4_096 { return svg }
      tolerance *= 2
      if tolerance > Self.largestTolerance { journey = abridged }
    }
  }

  /// The journey without the speeds of traffic, and with the last stops and the vehicle only.
  private var abridged: Journey {
    var journey = self
    journey.polylines = polylines.filter { $0.speed == nil }
    journey.markers = markers.suffix(Self.mostMarkers)
    return journey
  }

  /// In pixels.
  private static let largestTolerance = 8.0
  private static let mostMarkers = 100

  private static let largestPicture = 48_000
}

/// Draws a journey as SVG.
private struct JourneyPicture {
  private let width: Double
  private let height: Double
  /// The least distance in pixels between the points of a line.
  private let tolerance: Double
  private var text = ""

  private static let margin = 36.0
  /// The height of a caption of one line, in pixels.
  private static let captionHeight = 32.0
  private static let lineHeight = 18.0
  /// The width of a wide letter of the caption, in pixels.
  private static let letterWidth = 8.4
  /// Longer captions are cut, in characters.
  private static let captionLimit = 200

  init(size: (width: Int, height: Int), tolerance: Double) {
    (width, height) = (Double(size.width), Double(size.height))
    self.tolerance = tolerance
  }

  mutating func svg(of journey: Journey, caption: String) -> [UInt8] {
    let caption = String(caption.prefix(Self.captionLimit))
    let lines = caption.lines(ofWidth: Int((width - 24) / Self.letterWidth))
    let captionHeight = Self.captionHeight + Double(lines.count - 1) * Self.lineHeight
    // A picture of the least size and a long caption.
    let mapHeight = max(height - captionHeight, 3 * Self.margin)
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width.short)" height="\(height.short)" \
      viewBox="0 0 \(width.short) \(height.short)" font-family="sans-serif" role="img">
      <title>\(caption.asXML)</title>
      <rect width="100%" height="100%" fill="#eef1f4"/>

      """
    if let area = journey.drawnArea {
      let projection = MapProjection(
        of: area, onto: (width - 2 * Self.margin, mapHeight - 2 * Self.margin),
        at: (Self.margin, Self.margin))
      for polyline in journey.polylines { draw(polyline, projection) }
      for marker in journey.markers { draw(marker, at: projection.point(marker.position)) }
      drawScale(projection.scale, at: mapHeight - 12)
    }
    text += """
      <rect y="\(mapHeight.short)" width="100%" height="\(captionHeight.short)" fill="#fff"/>

      """
    for (index, line) in lines.enumerated() {
      let y = mapHeight + 21 + Double(index) * Self.lineHeight
      text += """
        <text x="12" y="\(y.short)" font-size="14" fill="#1b1f24">\(line.asXML)</text>

        """
    }
    text += "</svg>\n"
    return Array(text.utf8)
  }

  // MARK: Lines

  private mutating func draw(_ polyline: Journey.Polyline, _ projection: MapProjection) {
    for part in polyline.points.cutAtAntimeridian() {
      let points = simplified(part.map(projection.point))
      let path = points.map { "\($0.x.short),\($0.y.short)" }.joined(separator: " ")
      let style = polyline.style
      let dashes =
        switch polyline.speed {
        case .slow: " stroke-dasharray=\"10 5\""
        case .trafficJam: " stroke-dasharray=\"3 4\""
        default: ""
        }
      text +=
        "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(style.color.hex)\""
        + " stroke-opacity=\"\((Double(style.color.alpha) / 255).short)\""
        + " stroke-width=\"\((style.width + 1).short)\" stroke-linejoin=\"round\""
        + " stroke-linecap=\"butt\"\(dashes)/>\n"
    }
  }

  /// Leaves out points that are nearer to the one before than the tolerance. Takes linear time: a server may
  /// send a route of any shape.
  private func simplified(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard var kept = points.first, let last = points.last else { return [] }
    var line = [kept]
    for point in points.dropFirst().dropLast() {
      let (dx, dy) = (point.x - kept.x, point.y - kept.y)
      guard dx * dx + dy * dy >= tolerance * tolerance else { continue }
      line.append(point)
      kept = point
    }
    return line + [last]
  }

  // MARK: Places

  private mutating func draw(_ marker: Journey.Marker, at point: (x: Double, y: Double)) {
    let edge = "fill=\"\(marker.style.color.hex)\" stroke=\"#fff\" stroke-width=\"2\""
    text += "<g transform=\"translate(\(point.x.short) \(point.y.short))\">"
    switch marker.kind {
    case .pickup: text += "<circle r=\"11\" \(edge)/>\(letter("P"))"
    case .dropoff:
      text +=
        "<rect x=\"-10\" y=\"-10\" width=\"20\" height=\"20\" rx=\"3\" \(edge)/>\(letter("D"))"
    case .intermediateDestination:
      text +=
        "<path d=\"M0 -13L13 0L0 13L-13 0Z\" \(edge)/>\(letter(String((marker.index ?? 0) + 1)))"
    case .vehicle:
      if let heading = marker.heading {
        text += "<path d=\"M0 -20L7 -8L-7 -8Z\" transform=\"rotate(\(heading.short))\" \(edge)/>"
      }
      text += "<circle r=\"9\" \(edge)/><circle r=\"3\" fill=\"#fff\"/>"
    }
    text += "</g>\n"
  }

  private func letter(_ text: String) -> String {
    "<text y=\"4.5\" text-anchor=\"middle\" font-size=\"12\" font-weight=\"700\" fill=\"#fff\">\(text)</text>"
  }

  /// - Parameter scale: in pixels per meter.
  private mutating func drawScale(_ scale: Double, at y: Double) {
    // The longest round length that is at most 120 pixels.
    var length = 1e7
    search: for unit in [1e6, 1e5, 1e4, 1e3, 100, 10, 1] {
      for factor in [5.0, 2, 1] where factor * unit * scale <= 120 {
        length = factor * unit
        break search
      }
    }
    let right = 12 + length * scale
    let words = length >= 1_000 ? "\((length / 1_000).short) km" : "\(length.short) m"
    text += """
      <path d="M12 \((y - 6).short)V\(y.short)H\(right.short)V\((y - 6).short)" fill="none" stroke="#1b1f24" \
      stroke-width="1.5"/>
      <text x="16" y="\((y - 4).short)" font-size="11" fill="#1b1f24">\(words)</text>

      """
  }
}

extension Double {
  /// With at most one decimal.
  fileprivate var short: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let decimal = tenths.magnitude % 10
    return "\(sign)\(tenths.magnitude / 10)" + (decimal == 0 ? "" : ".\(decimal)")
  }
}

extension String {
  /// The text for XML 1.0. U+FFFD replaces control characters, which it excludes, and those that change
  /// the direction of the text around them.
  fileprivate var asXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
        "\u{2066}"..."\u{2069}", "\u{FFFE}", "\u{FFFF}":
        text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
