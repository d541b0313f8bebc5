import CExpat
import FleetEmulator
import FleetEngineAPI
import WireProtobuf

/// Reads the points of GPX 1.0 and 1.1 with expat: those of all tracks, or those of the routes if there is no track.
///
/// A document type is refused, so that no entity can be declared.
@safe final class GPXReader {
  private static let deepest = 100
  /// A time has at most 35 characters.
  private static let longestText = 64

  private let bytes: [UInt8]
  private let parser: XML_Parser
  private var tracks: [RoutePoint] = []
  private var routes: [RoutePoint] = []
  private var failure: RouteFileError?
  /// The number of open elements.
  private var depth = 0
  /// The open point, its depth, and whether it is one of a track.
  private var point: (depth: Int, isTrack: Bool, value: RoutePoint)?
  /// The text of the open time of a point.
  private var time: [UInt8]?

  static func points(in bytes: [UInt8]) throws(RouteFileError) -> [RoutePoint] {
    guard let parser = unsafe XML_ParserCreate(nil) else {
      throw RouteFileError(nil, "there is no memory left to read XML", hint: "free memory")
    }
    return try unsafe GPXReader(bytes, parser).read()
  }

  private init(_ bytes: [UInt8], _ parser: XML_Parser) {
    self.bytes = bytes
    unsafe self.parser = parser
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func read() throws(RouteFileError) -> [RoutePoint] {
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser, { unsafe reader($0)?.begin($1, $2) }, { user, _ in unsafe reader(user)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { unsafe reader($0)?.add($1, count: $2) }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
      unsafe reader(user)?.fail("a document type is not allowed in GPX")
    }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
    }
    if let failure { throw failure }
    guard status == XML_STATUS_OK else {
      let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
        unsafe String(cString: $0)
      }
      throw fault("invalid XML: \(reason ?? "unknown error")")
    }
    return tracks.isEmpty ? routes : tracks
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard failure == nil, let name = unsafe name.map({ unsafe localName($0) }) else { return }
    depth += 1
    guard depth <= Self.deepest else { return fail("elements are nested too deep") }
    if depth == 1, name != "gpx" { return fail("expected <gpx>, found <\(name.prefix(40))>") }
    if let point {
      if name == "time", depth == point.depth + 1 { time = [] }
    } else if name == "trkpt" || name == "rtept" {
      guard let place = unsafe place(attributes) else {
        return fail("<\(name)> needs lat from -90 to 90 and lon from -180 to 180")
      }
      point = (depth, name == "trkpt", RoutePoint(place: place))
    }
  }

  private func end() {
    guard failure == nil else { return }
    if let text = time {
      time = nil
      guard let read = Timestamp(dateTime: text) else {
        return fail("<time> needs a time such as 2026-11-21T10:00:00Z")
      }
      point?.value.time = read
    }
    if let point, point.depth == depth {
      if point.isTrack { tracks.append(point.value) } else { routes.append(point.value) }
      self.point = nil
    }
    depth -= 1
  }

  private func add(_ text: UnsafePointer<CChar>?, count: Int32) {
    guard failure == nil, let open = time?.count, let text = unsafe text else { return }
    let added = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
    guard open + added.count <= Self.longestText else { return fail("<time> is too long") }
    unsafe time?.append(contentsOf: added)
  }

  private func place(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> LatLng? {
    var values: [String: Double] = [:]
    var next = unsafe attributes
    while let name = unsafe next?[0], let value = unsafe next?[1] {
      unsafe values[String(cString: name)] = Double(String(cString: value))
      unsafe next = next?.advanced(by: 2)
    }
    guard let latitude = values["lat"], let longitude = values["lon"] else { return nil }
    let place = LatLng(latitude: latitude, longitude: longitude)
    return place.isOnGlobe ? place : nil
  }

  private func fail(_ reason: String) {
    failure = failure ?? fault(reason)
    _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  private func fault(_ reason: String) -> RouteFileError {
    let offset = unsafe max(0, min(Int(byte_index(parser)), bytes.count))
    return RouteFileError(
      TextPosition(after: bytes[..<offset]), reason, hint: "pass a GPX file with a track or a route"
    )
  }
}

private func reader(_ user: UnsafeMutableRawPointer?) -> GPXReader? {
  unsafe user.map { unsafe Unmanaged<GPXReader>.fromOpaque($0).takeUnretainedValue() }
}

/// Returns the name without the prefix of its namespace.
private func localName(_ name: UnsafePointer<CChar>) -> String {
  unsafe String(cString: name).split(separator: ":").last.map(String.init) ?? ""
}

extension Timestamp {
  /// Reads an xsd:dateTime. Without a zone it is in UTC.
  fileprivate init?(dateTime text: [UInt8]) {
    let text = String(decoding: text.filter { !JSONScanner.isSpace($0) }, as: UTF8.self)
    let times = [text, text + "Z"].lazy.compactMap {
      try? Timestamp(jsonUTF8Bytes: Array($0.quotedAsJSON.utf8))
    }
    guard let time = times.first else { return nil }
    self = time
  }
}
