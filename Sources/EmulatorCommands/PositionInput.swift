import CommandCalls
import CommandLine
import CommandResources
import CommandShell
import Tripwire
import WireProtobuf
import WireSystem

/// The positions on standard input, one a line.
struct PositionInput: Sendable {
  /// The largest size of a line in bytes.
  private static let longestLine = 65_536

  private var reader: DataReader
  private var text: [UInt8] = []
  private var number = 0
  private var isEnd = false

  init() throws(ErrorReport) {
    reader = try mapError(DataReader(.standardInput)) { (error: IOError) in
      ErrorReport("along", "-", FileReadError(error))
    }
  }

  /// Returns the next position; nil at the end, and when the task is canceled.
  mutating func next() async throws(ErrorReport) -> LatLng? {
    while let line = try await line() {
      number += 1
      if let place = try Self.place(line, number) { return place }
    }
    return nil
  }

  private mutating func line() async throws(ErrorReport) -> [UInt8]? {
    var searched = 0
    while true {
      if let end = text[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { text.removeFirst(end + 1) }
        return Array(text[..<end])
      }
      searched = text.count
      guard searched <= Self.longestLine else {
        throw Self.fault(number + 1, "longer than \(Self.longestLine) bytes")
      }
      if isEnd {
        defer { text = [] }
        return text.isEmpty ? nil : text
      }
      do throws(IOError) {
        let bytes = try await reader.next(until: nil)
        text += bytes
        isEnd = bytes.isEmpty
      } catch {
        throw ErrorReport("along", "-", FileReadError(error))
      }
    }
  }

  /// Returns the position in a line; nil for an empty one.
  ///
  /// - Parameter number: of the line, from 1.
  static func place(_ line: [UInt8], _ number: Int) throws(ErrorReport) -> LatLng? {
    let line = line.drop(while: JSONScanner.isSpace)
    guard let last = line.lastIndex(where: { !JSONScanner.isSpace($0) }) else { return nil }
    let text = line[...last]
    guard text.first == UInt8(ascii: "{") else {
      return try mapError(Parse.place(String(decoding: text, as: UTF8.self))) {
        (error: InvalidValue) in fault(number, error.reason)
      }
    }
    let object = try mapError(Struct(jsonUTF8Bytes: Array(text))) { (error: JSONDecodingError) in
      fault(number, "invalid JSON at column \(error.column): \(error.reason.text)")
    }
    guard let latitude = object.number("lat"), let longitude = object.number("lng") else {
      throw fault(number, "expected numbers in \"lat\" and \"lng\"")
    }
    let place = LatLng(latitude: latitude, longitude: longitude)
    guard place.isOnGlobe else {
      throw fault(number, "lat outside ±90 or lng outside ±180 degrees")
    }
    return place
  }

  static let noPosition = fault("stdin has no position")

  private static func fault(_ number: Int, _ reason: String) -> ErrorReport {
    fault("stdin:\(number): \(reason)")
  }

  private static func fault(_ text: String) -> ErrorReport {
    ErrorReport(
      local: escaped("--along: \(text)"), of: "--along",
      hint: "write one position per line: 37.7749,-122.4194 or {\"lat\":37.7749,\"lng\":-122.4194}")
  }
}
