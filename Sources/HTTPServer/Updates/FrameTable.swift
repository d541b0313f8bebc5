import WireProtobuf

/// The newest frame of each resource, and which of them a page does not have yet.
struct FrameTable {
  private struct Entry {
    let name: String
    var frame: [UInt8]
    var version: Int
  }

  /// In the order of their first frames.
  private var entries: [Entry] = []
  private var positions: [String: Int] = [:]
  /// The version of the last update; 0 before the first.
  private(set) var version = 0

  mutating func update(_ name: String, _ frame: [UInt8]) {
    version += 1
    let frame = frame.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? space : $0 }
    if let position = positions[name] {
      entries[position].frame = frame
      entries[position].version = version
    } else {
      positions[name] = entries.count
      entries.append(Entry(name: name, frame: frame, version: version))
    }
  }

  mutating func remove(_ name: String) {
    guard let position = positions.removeValue(forKey: name) else { return }
    entries.remove(at: position)
    for (name, other) in positions where other > position { positions[name] = other - 1 }
  }

  /// Returns an event with the frames that changed after `version`, and the version of a page that
  /// has received it.
  ///
  /// The frames that changed first come first. The event ends after the frame that exceeds `limit`,
  /// so that a page which stops reading holds little memory.
  ///
  /// - Parameters:
  ///   - limit: in bytes.
  ///   - now: the time of day.
  func event(
    after version: Int, limit: Int, now: (seconds: Int64, nanoseconds: Int32)
  ) -> (bytes: [UInt8], version: Int) {
    let changed = entries.filter { $0.version > version }.sorted { $0.version < $1.version }
    let milliseconds = String(now.nanoseconds / 1_000_000)
    let fraction = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
    // Browsers wait some seconds by default before they connect again.
    let head = (version < 0 ? "retry: 1000\n" : "") + "event: frames\ndata: "
    var reached = self.version
    let json = JSONWriter.objectBytes { json in
      json.member("now", json: "\(now.seconds).\(fraction)")
      json.member("frames") { json in
        json.beginArray()
        for (index, entry) in changed.enumerated() {
          json.next()
          json.object { json in
            json.member("name", entry.name)
            json.member("frame", json: entry.frame)
          }
          guard head.utf8.count + json.byteCount > limit, index + 1 < changed.count else {
            continue
          }
          reached = entry.version
          break
        }
        json.endArray()
      }
    }
    return (head.utf8 + json + "\n\n".utf8, reached)
  }
}

private let space = UInt8(ascii: " ")
