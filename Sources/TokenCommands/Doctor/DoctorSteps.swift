import CloudLogging
import CommandShell
import Tripwire

/// The steps of `tripwire doctor`, in their order.
struct DoctorSteps {
  typealias Add = (DoctorStep) throws(ErrorReport) -> Void

  var server: Server
  /// The resource to get; nil for none.
  let name: ResourceName?
  /// The Cloud project whose logs are read; nil for none.
  let project: String?
  /// The options for the token.
  let options: ServerOptions
  /// The time limit of each step.
  let timeout: Duration
  let console: Console

  /// Makes the steps, and calls `add` after each. If the task is canceled, the present step fails, and the
  /// rest is skipped.
  mutating func run(_ output: Add) async throws(ErrorReport) {
    func add(_ step: DoctorStep) throws(ErrorReport) {
      var step = step
      if Task.isCancelled, step.outcome == .failed || step.outcome == .skipped {
        (step.message, step.hint) = ("interrupted", nil)
      }
      try output(step)
    }
    let isConnected = try await connect(add)
    try add(isConnected ? await clockStep() : .skipped("clock", Self.noConnection))
    let (step, hasToken) =
      Task.isCancelled ? (.skipped("token", ""), false) : await tokenStep()
    try add(step)
    guard name != nil || project != nil else { return }
    guard isConnected else { return try add(.skipped("call", Self.noConnection)) }
    guard hasToken else { return try add(.skipped("call", "there is no token")) }
    if let name { try add(await callStep(name)) }
    if let project { try add(await logsStep(project)) }
  }

  private static let noConnection = "there is no connection"

  /// Returns a failure as other commands report it.
  func report(_ error: CallError) -> ErrorReport {
    let subject =
      project.map { Hint.Subject.logs(ofProject: $0, method: LogReader.method) }
      ?? name.map { Hint.Subject.resource($0.description) }
    return ErrorReport(error, server.hint(about: subject ?? .method("grpc.health.v1.Health/Check")))
  }
}
