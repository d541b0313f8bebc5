import WireSystem

// The functions that libFuzzer calls. One program contains all targets; the environment variable
// TARGET selects one.

let target: Target = {
  let name = getenv("TARGET").map { String(cString: $0) } ?? ""
  guard let target = Target(rawValue: name) else {
    fatalError("TARGET=\(name): not one of \(Target.allCases.map(\.rawValue))")
  }
  return target
}()

@c(LLVMFuzzerInitialize)
func initialize(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> Int32 {
  if target == .answer {
    answerAll()
    exit(0)
  }
  return 0
}

@c(LLVMFuzzerTestOneInput)
func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  // The first byte selects the type, the rest is its input. An array of exactly that size lets the
  // sanitizer detect a read beyond its end.
  guard count > 0 else { return -1 }
  let input = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
  switch target {
  case .polyline: decodePolyline(format: start[0], input)
  case .session: SessionTalk.run(start[0], input)
  case .server: ServerTalk.run(start[0], input)
  case .log: readLog(input)
  case .script: readScript(input)
  case .descriptors: loadDescriptors(input)
  default:
    let type = types[Int(start[0]) % types.count]
    target.run(type, input)
  }
  return 0
}
