/// The files of the page when a server sends them.
package enum ServedPage {
  package struct File: Sendable {
    /// Relative to the address of the page; "" for the page.
    package let path: String
    package let contentType: String
    package let bytes: [UInt8]
  }

  package static func files(_ leaflet: LeafletFiles, _ options: PageOptions) -> [File] {
    let style = "text/css; charset=utf-8"
    let script = "text/javascript; charset=utf-8"
    let parts = [
      File(path: "leaflet.css", contentType: style, bytes: leaflet.style),
      File(path: "page.css", contentType: style, bytes: PageFiles.style),
      File(path: "leaflet.js", contentType: script, bytes: leaflet.script),
      File(path: "page.js", contentType: script, bytes: PageFiles.script),
    ]
    let page = PageFiles.html(files: parts.map(\.path), options: options)
    return [File(path: "", contentType: "text/html; charset=utf-8", bytes: page)] + parts
  }
}
