import WireSystem

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// Reads the input as a log, with and without skipping damage, and replays its calls.
///
/// The reader requires a file, so the input is written to one, always the same.
func readLog(_ input: [UInt8]) {
  let written = pwrite(logFile.descriptor, input, input.count, 0)
  require(
    written == input.count && ftruncate(logFile.descriptor, off_t(written)) == 0, "cannot write")
  do throws(BinaryLogError) {
    var reader = BinaryLogReader(try BinaryLogSource(opening: logFile.path), skipsDamage: true)
    var (end, words) = (0, 0)
    while let entry = try reader.next() {
      require(entry.offset >= end, "entry \(entry.number) starts inside the previous one")
      end = reader.end
      require(end > entry.offset && end <= input.count, "entry \(entry.number) ends at \(end)")
      words += reader.damage.count
      reader.damage = []
    }
    require(words <= input.count, "more damage messages than bytes")
  } catch {
    require(!error.description.isEmpty, "no description")
  }
  guard let recorded = try? RecordedCalls([BinaryLogSource(opening: logFile.path)]) else { return }
  for speed in [nil, 10] {
    var index = ResponseIndex(recorded.calls, speed: speed, loops: true)
    require(index.count <= recorded.calls.count, "more calls than were recorded")
    for call in recorded.calls {
      guard let method = try? index.method(call.method) else { continue }
      _ = try? index.response(to: method, call.requests, now: .now)
    }
  }
}

private let logFile = {
  var template = Array("/tmp/tripwire-fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  require(descriptor >= 0, "no temporary file")
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return (descriptor: descriptor, path: path)
}()

/// Reads the input as a script and replays its calls.
func readScript(_ input: [UInt8]) {
  do throws(ReplayError) {
    let script = try ReplayScript(path: "s.json", input)
    var index = ResponseIndex(script, loops: true)
    for call in script.calls {
      guard let method = try? index.method(call.method),
        let response = try? index.response(to: method, [[]], now: .now).response
      else { continue }
      for step in response.steps {
        if case .control(.frame(let frame)) = step.action {
          require(frame.bytes(on: 1).count == 9 + frame.payload.count, "wrong frame length")
        }
      }
    }
  } catch {
    require(error.description.hasPrefix("s.json:"), "no position: \(error)")
    require(error.description.utf8.count < input.count + 4096, "the error is too long")
  }
}
