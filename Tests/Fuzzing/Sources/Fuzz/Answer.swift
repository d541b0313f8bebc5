import WireProtobuf
import WireSystem

/// Answers the requests on standard input until it ends.
///
/// A request is a letter, the index of a type, and an input after its length (4 bytes,
/// little-endian). The letter is `b` for binary to binary, `j` for JSON to binary, or `w` for binary
/// to JSON. An answer is 1 and the output after its length, or 0 and the error after its length.
func answerAll() {
  guard let input = fdopen(0, "r"), let output = fdopen(1, "w") else { return }
  while let head = read(6, from: input) {
    let type = types[Int(head[1]) % types.count]
    let length = head[2...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let question = read(length, from: input) else { fatalError("incomplete request") }
    let answer: [UInt8]
    var isAccepted: UInt8 = 1
    do {
      answer = try reply(head[0], type, question)
    } catch {
      answer = Array("\(error)".utf8)
      isAccepted = 0
    }
    let size = (0..<4).map { UInt8(truncatingIfNeeded: answer.count >> ($0 * 8)) }
    write([isAccepted] + size + answer, to: output)
  }
  fclose(output)
}

private func reply<M: Message>(
  _ question: UInt8, _ type: M.Type, _ input: [UInt8]
) throws -> [UInt8] {
  switch question {
  case UInt8(ascii: "b"): try M(serializedBytes: input).serializedBytes()
  case UInt8(ascii: "j"): try M(jsonUTF8Bytes: input, options: jsonDecoding).serializedBytes()
  case UInt8(ascii: "w"): try M(serializedBytes: input).jsonUTF8Bytes(options: jsonEncoding)
  default: fatalError("unknown request: \(question)")
  }
}

private func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  return fread(&bytes, 1, count, file) == count ? bytes : nil
}

private func write(_ bytes: [UInt8], to file: UnsafeMutablePointer<FILE>) {
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { fatalError("write failed") }
}
