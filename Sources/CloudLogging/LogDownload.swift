package import WireGRPC
package import WireProtobuf

/// Downloads the log entries about resources and those about related ones, without I/O: makes the requests one by one,
/// and decides after each response or error.
package struct LogDownload: Sendable {
  private static let pageSize: Int32 = 1_000
  /// How long Cloud Logging counts the reads of a project.
  private static let quotaPeriod = Duration.seconds(60)
  /// How often a request may wait for the quota.
  private static let waitLimit = 5

  package private(set) var entries = DownloadedEntries()
  private let project: String
  private let since: Timestamp
  private let until: Timestamp?
  /// The filters of the next queries.
  private var filters: ArraySlice<LogFilter>
  private var tokens: Set<String> = []
  private var related: RelatedResources
  private var isOfRelated = false
  private var waits = 0
  /// The next request; nil at the end.
  package private(set) var request: ListLogEntriesRequest?

  /// - Parameters:
  ///   - project: the ID of the Cloud project.
  ///   - resources: empty for all resources.
  ///   - since: the first time.
  ///   - until: the end, which is not included; nil for no end.
  package init(
    project: String, resources: [LoggedResource], since: Timestamp, until: Timestamp?
  ) {
    self.project = project
    self.since = since
    self.until = until
    filters = LogFilter.filters(of: resources, since: since, until: until)[...]
    related = RelatedResources(of: resources)
    startQuery()
  }

  /// Returns the entries as JSON, and forgets them.
  package mutating func takeJSON() -> [UInt8] { entries.takeJSON() }

  /// The related resources that were found.
  package var relatedResources: [LoggedResource] { related.found }

  /// How many other related resources were found, whose entries are left out.
  package var omittedRelatedCount: Int { related.omittedCount }

  package mutating func receive(_ response: ListLogEntriesResponse) throws(LogDownloadError) {
    waits = 0
    for entry in response.entries {
      try entries.add(entry)
      if !isOfRelated { related.add(entry) }
    }
    guard response.nextPageToken.isEmpty else {
      guard tokens.insert(response.nextPageToken).inserted else { throw .repeatedPageToken }
      request?.pageToken = response.nextPageToken
      return
    }
    if filters.isEmpty, !isOfRelated {
      isOfRelated = true
      let found = related.found
      if !found.isEmpty {
        filters = LogFilter.filters(of: found, since: since, until: until)[...]
      }
    }
    startQuery()
  }

  /// Returns the time to wait before the same request is sent again; nil if waiting does not help.
  package mutating func delay(after error: CallError) -> Duration? {
    guard error.code == .resourceExhausted, error.origin == .server, waits < Self.waitLimit else {
      return nil
    }
    waits += 1
    var delay = Self.quotaPeriod
    for case .retryInfo(let info) in error.details {
      delay = info.retryDelay?.duration ?? delay
    }
    return max(delay, .seconds(1))
  }

  private mutating func startQuery() {
    tokens = []
    request = filters.popFirst().map { filter in
      ListLogEntriesRequest(
        resourceNames: ["projects/\(project)"], filter: filter.text, orderBy: "timestamp asc",
        pageSize: Self.pageSize)
    }
  }
}
