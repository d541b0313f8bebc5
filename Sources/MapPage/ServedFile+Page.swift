package import HTTPServer

extension ServedFile {
  /// Returns the page with its files, which a server sends one by one.
  package static func page(_ leaflet: LeafletFiles, _ options: PageOptions) -> [ServedFile] {
    let style = "text/css; charset=utf-8"
    let script = "text/javascript; charset=utf-8"
    let parts = [
      ServedFile(path: "leaflet.css", contentType: style, bytes: leaflet.style),
      ServedFile(path: "page.css", contentType: style, bytes: PageFiles.style),
      ServedFile(path: "leaflet.js", contentType: script, bytes: leaflet.script),
      ServedFile(path: "page.js", contentType: script, bytes: PageFiles.script),
    ]
    let page = PageFiles.html(files: parts.map(\.path), options: options)
    return [ServedFile(path: "", contentType: "text/html; charset=utf-8", bytes: page)] + parts
  }
}
