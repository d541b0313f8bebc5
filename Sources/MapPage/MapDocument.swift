import COpenSSL
import WireGRPC

/// The page as one HTML file that needs no network: with Leaflet, and with the data of a recording.
package enum MapDocument {
  /// - Parameter recording: ``RecordedMap/gzipped()``.
  package static func html(
    _ leaflet: LeafletFiles, _ options: PageOptions, gzippedRecording recording: [UInt8]
  ) -> [UInt8] {
    let styles = [leaflet.style, PageFiles.style]
    let scripts = [leaflet.script, PageFiles.script]
    var policy = "default-src 'none'; script-src"
    for script in scripts { policy += " 'sha256-\(hash(script))'" }
    policy += "; style-src"
    for style in styles { policy += " 'sha256-\(hash(style))'" }
    policy += "; img-src data:" + (options.tiles.map { " \($0.address.origin)" } ?? "")
    policy += "; base-uri 'none'; form-action 'none'"

    var head = Array("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n".utf8)
    for style in styles { head += PageFiles.element("style", "", style) }
    var body = PageFiles.element(of: options)
    body += PageFiles.element(
      "script", " type=\"application/octet-stream\" id=\"recording\"",
      Array(Base64.encode(recording, padded: true).utf8))
    for script in scripts { body += PageFiles.element("script", "", script) }
    return PageFiles.html(head: head, body: body)
  }

  /// Whether a file with these first bytes, about 1 kB, is such a page.
  package static func isPage(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.hasPrefix("<!doctype html>") && text.mentions("<title>tripwire map</title>")
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = unsafe SHA256(bytes, bytes.count, &digest)
    return Base64.encode(digest, padded: true)
  }
}
