import CommandLine
import CommandResources
package import CommandShell
import Tripwire

package let doctorCommand = Command.calling(
  name: "doctor", summary: "check the connection to a server, step by step", operand: .resource,
  help: { help },
  request: { (line, options: DoctorOptions) throws(UsageError) in
    guard line.operands.count < 2 else {
      throw UsageError(
        message: "unexpected argument \(escaped(line.operands[1])): doctor takes one NAME")
    }
    return DoctorRequest(
      name: try line.operands.first.map { (text) throws(UsageError) in
        try resourceName(text, options.provider, ResourceName.init)
      }, options: options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

private let help = HelpText(
  usage: "tripwire doctor [NAME] [options]",
  about:
    "Checks each step of a call and prints a line for each, with the time that it took, if any. A hint follows a"
    + " failure or a warning. The steps are name resolution, TCP to each address, the proxy, TLS with the"
    + " certificates, ALPN, the HTTP/2 settings, the clock, and the token. The clock is compared with"
    + " the \"date\" header in the response to a health check. With NAME it also gets this trip,"
    + " vehicle, task or other resource. The exit code is that of the first failure. The token is not shown.",
  examples: [
    "tripwire doctor": "check the connection to Fleet Engine",
    "tripwire doctor providers/my-project/trips/t1 --token-file token.jwt": "",
    "tripwire doctor --endpoint localhost:50051 --plaintext -o json": "",
  ], options: DoctorOptions.all,
  exitCodes: [
    ("0", "no step failed; there may be warnings"),
    ("1", "a local failure, such as a file that cannot be read or a token that has expired"),
  ]
    + ExitCode.table.dropFirst(2).map { row in
      // A step that takes too long is a failed connection.
      row.term == ExitCode.callTerm
        ? ExitCode.failedCall("Without a connection the code is 78") : row
    })
