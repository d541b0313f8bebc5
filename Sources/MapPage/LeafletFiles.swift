import WireSystem

/// The files of Leaflet, which draws the map.
package struct LeafletFiles: Sendable {
  let script: [UInt8]
  let style: [UInt8]

  /// A version of Leaflet is far smaller, in bytes.
  private static let limit = 1 << 22
  /// Where Debian's package libjs-leaflet has them.
  private static let packaged = "/usr/share/javascript/leaflet"

  /// Reads the files from a directory.
  ///
  /// - Parameter directory: nil searches `../share/tripwire/leaflet`, as seen from the running program,
  ///   and the directory of Debian's package.
  /// - Throws: ``LeafletError``.
  package init(in directory: String?) throws(LeafletError) {
    let directories = directory.map { [$0] } ?? Self.directories
    for directory in directories {
      // In Debian's package and in others, leaflet.js is the long form if there is a leaflet.min.js.
      for name in ["leaflet.min.js", "leaflet.js"] {
        guard let script = try Self.contents(of: "\(directory)/\(name)") else { continue }
        let stylePath = "\(directory)/leaflet.css"
        guard let style = try Self.contents(of: stylePath) else {
          throw LeafletError(message: "\(stylePath): \(Self.missing)", hint: nil)
        }
        (self.script, self.style) = (script, style)
        return
      }
    }
    throw LeafletError(
      message: directory.map {
        LocalFile.exists($0)
          ? "neither leaflet.min.js nor leaflet.js is in this directory" : "no such directory"
      } ?? "Leaflet, which draws the map, is not installed",
      hint: directory == nil
        ? "install the Debian package libjs-leaflet, or pass the directory of leaflet.min.js with --leaflet"
        : "with --leaflet, pass the directory that contains leaflet.min.js and leaflet.css")
  }

  private static var directories: [String] {
    (ExecutablePath.directory.map { ["\($0)/../share/tripwire/leaflet"] } ?? []) + [packaged]
  }

  private static let missing = FileReadError.system(.noSuchFile)

  /// Returns the bytes of a file; nil if there is none.
  private static func contents(of path: String) throws(LeafletError) -> [UInt8]? {
    do throws(FileReadError) {
      return try LocalFile.contents(of: path, limit: limit)
    } catch {
      if error == missing { return nil }
      throw LeafletError(message: "\(path): \(error)", hint: nil)
    }
  }
}

/// Why the files of Leaflet cannot be read.
package struct LeafletError: Error, Sendable {
  package let message: String
  package let hint: String?
}
