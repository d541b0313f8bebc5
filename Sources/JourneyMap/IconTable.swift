import JourneySharing
import WireGRPC
import WireSystem

/// The icons of the markers that are shown, as images that the page may load.
struct IconTable {
  /// The largest size of a file, in bytes.
  private static let fileLimit = 256 << 10
  /// The number of icons; more are not shown.
  private static let countLimit = 64

  private enum Icon {
    case image(key: String, source: String)
    case problem(String)
  }

  /// By the path or URL that the app has set.
  private var icons: [String: Icon] = [:]
  private var lastKey = 0
  private let origins: Set<String>

  /// - Parameter origins: of URLs that the page may load.
  init(origins: [String]) {
    self.origins = Set(origins.map { $0.lowercased() })
  }

  /// Reads the files of new icons, and drops icons that are no longer used.
  mutating func update(_ names: Set<String>) {
    for name in icons.keys where !names.contains(name) { icons[name] = nil }
    for name in names.sorted() where icons[name] == nil {
      do throws(Problem) {
        guard icons.count < Self.countLimit else {
          throw Problem("more than \(Self.countLimit) icons")
        }
        let source = try source(of: name)
        lastKey += 1
        icons[name] = .image(key: String(lastKey), source: source)
      } catch {
        icons[name] = .problem("icon \(Self.shortened(name)): \(error.text)")
      }
    }
  }

  /// The images by their keys, in the order of the keys.
  var sources: [(key: String, source: String)] {
    icons.values.compactMap { icon in
      if case .image(let key, let source) = icon { (key, source) } else { nil }
    }.sorted { Int($0.key) ?? 0 < Int($1.key) ?? 0 }
  }

  /// Why icons are not shown.
  var problems: [String] {
    icons.values.compactMap { if case .problem(let text) = $0 { text } else { nil } }.sorted()
  }

  /// Returns the markers with the keys of their icons.
  func applied(to markers: [Journey.Marker]) -> [Journey.Marker] {
    markers.map { marker in
      var marker = marker
      let icon = marker.style.icon.flatMap { icons[$0] }
      marker.style.icon = if case .image(let key, _)? = icon { key } else { nil }
      return marker
    }
  }

  // MARK: Sources

  private struct Problem: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  private func source(of name: String) throws(Problem) -> String {
    if name.hasPrefix("data:") {
      guard Self.types.contains(where: { name.hasPrefix("data:\($0);base64,") }) else {
        throw Problem("not a PNG, JPEG, WebP or SVG image in base64")
      }
      guard name.utf8.count <= Self.fileLimit * 4 / 3 + 100 else { throw Self.tooLarge }
      return name
    }
    if name.hasPrefix("https://") || name.hasPrefix("http://") {
      guard let origin = Self.origin(of: name), origins.contains(origin) else {
        throw Problem("its origin is not one of imageOrigins")
      }
      return name
    }
    let path = Self.path(of: name)
    let bytes = try mapError(LocalFile.contents(of: path, limit: Self.fileLimit, until: .now)) {
      (error: FileReadError) in
      Problem("\(error)")
    }
    guard let type = Self.type(of: bytes) else {
      throw Problem("not a PNG, JPEG, WebP or SVG image")
    }
    return "data:\(type);base64,\(Base64.encode(bytes, padded: true))"
  }

  /// The path of a `file:` URL (RFC 8089), or the name itself.
  private static func path(of name: String) -> String {
    for prefix in ["file://localhost/", "file:///", "file:/"] where name.hasPrefix(prefix) {
      let path = String(name.dropFirst(prefix.utf8.count)).percentDecoded
      return "/" + String(decoding: path, as: UTF8.self)
    }
    return name
  }

  private static let tooLarge = Problem("larger than \(fileLimit) bytes")
  private static let types = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"]

  /// The type by the first bytes, whatever the name of the file is.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return types[0] }
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return types[1] }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return types[2]
    }
    let start = String(decoding: bytes.prefix(1_024), as: UTF8.self).drop(while: \.isWhitespace)
    let isXML = ["<?xml", "<!--", "<!DOCTYPE svg", "<svg"].contains { start.hasPrefix($0) }
    return isXML && String(start).mentions("<svg") ? types[3] : nil
  }

  /// `https://icons.example:8443`
  private static func origin(of url: String) -> String? {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let host = parts[2].prefix { !"/?#".contains($0) }
    return "\(parts[0])//\(host)".lowercased()
  }

  private static func shortened(_ name: String) -> String {
    name.count > 80 ? "…" + name.suffix(80) : name
  }
}
