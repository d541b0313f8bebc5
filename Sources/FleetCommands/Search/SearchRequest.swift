import CommandCalls
import CommandLine
import CommandResources
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
    var pages = SearchPages(query, of: fleet, server, limit: options.limit, isOnlyCall: true)
    while let page = try await next(&pages, server) {
      if options.server.output.isVerbose, page.unknownFieldCount > 0 {
        console.error("* \(Units.count(page.unknownFieldCount, "unknown field")) not shown\n")
      }
      try write(page.results, &table, console)
    }
    if pages.isTokenRepeated {
      console.warn(
        "the server repeats a page token: stopped after"
          + " \(Units.count(pages.resultCount, "result"))")
    } else if pages.resultCount == 0, options.isTable {
      console.error("no \(query.noun) found\n")
    }
  }

  private func next(
    _ pages: inout SearchPages, _ server: Server
  ) async throws(ErrorReport) -> SearchPage? {
    do throws(CallError) {
      return try await pages.next()
    } catch {
      var report = report(error, server)
      if pages.pageCount > 0 {
        report.message += " (after \(Units.count(pages.pageCount, "page")))"
      }
      throw report
    }
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
