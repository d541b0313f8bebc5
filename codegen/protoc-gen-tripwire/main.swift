import CodeGen
import ProtobufDescriptors
import WireProtobuf
import WireSystem

// A protoc plugin: a CodeGeneratorRequest on standard input, a CodeGeneratorResponse on standard
// output.

let usage = """
  protoc-gen-tripwire writes Swift for .proto files. protoc runs it:

    protoc --plugin=PATH/protoc-gen-tripwire --tripwire_out=FOLDER --tripwire_opt=OPTIONS FILES

  OPTIONS, separated by commas (the default in parentheses):
    access=public|package|internal   access level of the generated code (internal)
    calls=true|false                 whether only the calls of Tripwire's own services are generated (false)
    clients=true|false               whether each service gets a type that calls it (true)
    docs=true|false                  whether comments become documentation (true)
    module=FOLDER:MODULE             the module of imported .proto files of FOLDER; may be repeated
    prefix=NAME                      prefix of all type names, in place of the package
    presence=true|false              whether fields with presence get hasName and clearName() (false)
    registry=true|false              whether TypeRegistry gets a list of each file's messages (true)
    service_config=PATH              a gRPC service config, for timeouts and retries
    runtime=import|self              whether WireProtobuf is imported (import)

  """

/// Reads a file descriptor to its end.
func readAll(_ file: Int32) -> [UInt8]? {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(file, &chunk, chunk.count)
    if count == 0 { return bytes }
    if count < 0 { return nil }
    bytes += chunk[..<count]
  }
}

func complain(_ message: String) {
  let bytes = Array("protoc-gen-tripwire: \(message)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

func fail(_ message: String, status: Int32 = 1) -> Never {
  complain(message)
  exit(status)
}

switch CommandLine.arguments.dropFirst().first {
case nil: break
case "--help", "-h":
  print(usage, terminator: "")
  exit(0)
case "--version":
  print("protoc-gen-tripwire \(CodeGenerator.version)")
  exit(0)
case let argument?:
  fail(
    "unknown argument \(argument): expected --help or --version; pass options with protoc"
      + " --tripwire_opt", status: 2)
}
if isatty(STDIN_FILENO) == 1 {
  fail("standard input is a terminal: run this plugin through protoc (see --help)", status: 2)
}

guard let input = readAll(STDIN_FILENO) else { fail("cannot read standard input") }
let request: CodeGeneratorRequest
do {
  request = try CodeGeneratorRequest(serializedBytes: input)
} catch {
  fail("standard input is not a CodeGeneratorRequest of protoc: \(error)")
}
let response = CodeGenerator.response(to: request) { path throws(GenerationError) in
  func unreadable() -> GenerationError {
    GenerationError("service_config=\(path): \(String(cString: strerror(errno)))")
  }
  let file = open(path, O_RDONLY)
  guard file >= 0 else { throw unreadable() }
  defer { close(file) }
  guard let bytes = readAll(file) else { throw unreadable() }
  return bytes
}
if response.error == nil { CodeGenerator.warnings(for: request).forEach(complain) }
var output = response.serializedBytes()[...]
while !output.isEmpty {
  let count = output.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  guard count > 0 else { fail("cannot write to standard output") }
  output = output.dropFirst(count)
}
