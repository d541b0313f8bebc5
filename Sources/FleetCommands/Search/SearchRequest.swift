import CommandCalls
import CommandLine
import CommandShell
import Tripwire

struct SearchRequest: Sendable {
  let query: SearchQuery
  let options: SearchOptions
  /// The fields of each result in JSON; nil for all.
  let fields: ResponseFields?

  /// Gets page after page and writes each to stdout as it arrives.
  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    // A slow reader of stdout must not hold up the connection.
    try await options.server.withServer(console, on: nil) {
      (server) async throws(ErrorReport) -> ExitCode in
      try await writePages(from: server, console)
      return .success
    }
  }

  private func writePages(from server: Server, _ console: Console) async throws(ErrorReport) {
    let fleet = try mapError(server.fleet()) { (error: CallError) in report(error, server) }
    var table = SearchTable()
    // Only hashes are kept, because a token may be as long as a response. They differ for millions of tokens.
    var tokens: Set<Int> = []
    var token = ""
    var count = 0
    var pages = 0
    repeat {
      var page: SearchPage
      do throws(CallError) {
        page = try await query.page(token, of: fleet, server)
      } catch {
        var report = report(error, server)
        if pages > 0 { report.message += " (after \(Units.count(pages, "page")))" }
        throw report
      }
      pages += 1
      if options.server.output.isVerbose, page.unknownFieldCount > 0 {
        console.error("* \(Units.count(page.unknownFieldCount, "unknown field")) not shown\n")
      }
      if let limit = options.limit { page.results = Array(page.results.prefix(limit - count)) }
      count += page.results.count
      try write(page.results, &table, console)
      if count == options.limit { return }
      token = page.nextToken
      guard tokens.insert(token.hashValue).inserted else {
        console.warn(
          "the server repeats a page token: stopped after \(Units.count(count, "result"))")
        return
      }
    } while !token.isEmpty
    if count == 0, options.isTable { console.error("no \(query.noun) found\n") }
  }

  private func write(
    _ results: [any SearchResult], _ table: inout SearchTable, _ console: Console
  ) throws(ErrorReport) {
    switch options.format {
    case .table, .text:
      let lines = table.lines(results, console.clock())
      if !lines.isEmpty { try console.write(lines.map { $0 + "\n" }.joined()) }
    case .name: try console.write(results.map { escaped($0.name) + "\n" }.joined())
    case .json:
      for result in results {
        let json = try mapError(fields.json(result)) { (error: JSONEncodingError) in
          var report = ErrorReport(unwritable: error, path: query.path)
          report.hint = "show it with -o table"
          return report
        }
        try console.write(escapedJSON(json) + "\n")
      }
    }
  }

  private func report(_ error: CallError, _ server: Server) -> ErrorReport {
    var error = error
    error.path = query.path
    return ErrorReport(error, server.hint(about: .method(String(query.path.dropFirst()))))
  }
}
