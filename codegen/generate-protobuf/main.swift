import CodeGen
import WireSystem

// The command of the build plugin ProtobufGenerator: generates Swift for the .proto files of a target.
//
//   generate-protobuf OUTPUT FOLDER INPUT...
//
// OUTPUT is the folder of the generated files, FOLDER that of the target, and each INPUT a file that the build system
// watches: the .proto files of the target, its config, and files that these may import.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count > 2 else {
  complain("usage: generate-protobuf OUTPUT FOLDER INPUT...")
  exit(2)
}
do throws(GenerationError) {
  let target = try ProtobufTarget(
    output: arguments[1], folder: arguments[2], inputs: Array(arguments.dropFirst(2)))
  try await target.generate()
} catch {
  complain(error.description)
  exit(1)
}

func complain(_ message: String) {
  let bytes = Array((message + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
