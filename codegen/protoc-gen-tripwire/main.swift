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

let input: [UInt8]
do {
  input = try LocalFile().contents(limit: 1 << 30)
} catch {
  fail("cannot read standard input: \(error)")
}
let request: CodeGeneratorRequest
do {
  request = try CodeGeneratorRequest(serializedBytes: input)
} catch {
  fail("standard input is not a CodeGeneratorRequest of protoc: \(error)")
}
let response = CodeGenerator.response(to: request) { path throws(GenerationError) in
  do throws(FileReadError) {
    return try LocalFile.contents(of: path, limit: 16 << 20)
  } catch {
    throw GenerationError("service_config=\(path): \(error)")
  }
}
if response.error == nil { CodeGenerator.warnings(for: request).forEach(complain) }
let output = response.serializedBytes()
guard SystemCalls.write(output[...], to: STDOUT_FILENO, patience: -1) == output.count else {
  fail("cannot write to standard output")
}
