package import WireGRPC
package import WireProtobuf

/// Downloads the log entries about resources and those about related ones, without I/O: makes the requests one by one,
/// and decides after each response or error.
package struct LogDownload: Sendable {
  package static let entryLimit = 200_000
  static let pageLimit = 10_000
  /// In bytes of JSON.
  package static let sizeLimit = 256 << 20
  /// How many entries a page may have. The first pages are short, because the size of entries is not known.
  private static let pageSizes: ClosedRange<Int> = 100...1_000
  /// In bytes of JSON, on average. A page is in memory at once.
  private static let pageBytes = 8 << 20
  /// How long Cloud Logging counts the reads of a project.
  private static let quotaPeriod = Duration.seconds(60)
  /// How often a request may wait for the quota, and how long each time.
  private static let waitLimit = 5
  private static let longestWait = Duration.seconds(600)

  /// Equal for duplicates.
  private struct Identity: Hashable {
    let time: Timestamp
    let insertID: String
  }

  /// The number of entries so far, each counted once.
  package private(set) var entryCount = 0
  /// The time of the newest one.
  package private(set) var lastTime: Timestamp?
  private let project: String
  private let since: Timestamp
  private let until: Timestamp?
  private let sizeLimit: Int
  private var size = 0
  private var identities: Set<Identity> = []
  /// The filters of the next queries.
  private var filters: ArraySlice<String>
  private var pageCount = 0
  /// The hashes of the tokens of the query, which may be long.
  private var tokens: Set<Int> = []
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
  ///   - sizeLimit: the size of all entries as JSON, in bytes.
  package init(
    project: String, resources: [LoggedResource], since: Timestamp, until: Timestamp?,
    sizeLimit: Int = sizeLimit
  ) {
    self.project = project
    self.since = since
    self.until = until
    self.sizeLimit = sizeLimit
    filters = LogFilter.filters(of: resources, since: since, until: until)[...]
    related = RelatedResources(of: resources)
    startQuery()
  }

  /// The related resources that were found.
  var relatedResources: [LoggedResource] { related.found }

  /// How many other related resources were found, whose entries are left out.
  package var omittedRelatedCount: Int { related.omittedCount }

  /// Takes an entry of the response to ``request``. Call it for each, and then ``endPage(_:)``.
  ///
  /// - Parameter bytes: a `LogEntry`.
  package mutating func add(_ bytes: [UInt8]) throws(LogDownloadError) -> DownloadedEntry {
    let entry: LogEntry
    let json: [UInt8]
    do {
      entry = try LogEntry(serializedBytes: bytes)
      json = try entry.jsonUTF8Bytes()
    } catch {
      return .unreadable("\(error)")
    }
    let time = entry.timestamp ?? entry.receiveTimestamp ?? Timestamp()
    if !entry.insertId.isEmpty,
      !identities.insert(Identity(time: time, insertID: entry.insertId)).inserted
    {
      return .duplicate
    }
    size += json.count
    guard size <= sizeLimit else { throw .tooLarge }
    guard entryCount < Self.entryLimit else { throw .tooMany }
    entryCount += 1
    lastTime = max(lastTime ?? time, time)
    if !isOfRelated { related.add(entry) }
    return .json(json)
  }

  /// Decides on the next request.
  ///
  /// - Parameter token: `next_page_token` of the response.
  package mutating func endPage(_ token: String) throws(LogDownloadError) {
    waits = 0
    pageCount += 1
    guard token.isEmpty else {
      guard tokens.insert(token.hashValue).inserted else { throw .repeatedPageToken }
      guard pageCount < Self.pageLimit else { throw .tooManyPages }
      request?.pageToken = token
      let pageSize = pageSize
      request?.pageSize = pageSize
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
    let delay = error.details.retryDelay ?? Self.quotaPeriod
    return delay <= Self.longestWait ? max(delay, .seconds(1)) : nil
  }

  private mutating func startQuery() {
    tokens = []
    request = filters.popFirst().map { filter in
      ListLogEntriesRequest(
        resourceNames: ["projects/\(project)"], filter: filter, orderBy: "timestamp asc",
        pageSize: pageSize)
    }
  }

  /// The number of entries that a page may have, by the size of the entries so far.
  private var pageSize: Int32 {
    let fitting = Self.pageBytes * entryCount / max(size, 1)
    return Int32(min(max(fitting, Self.pageSizes.lowerBound), Self.pageSizes.upperBound))
  }
}

/// An entry of a page, as it is kept.
package enum DownloadedEntry: Equatable, Sendable {
  case json([UInt8])
  /// Another query found it, too.
  case duplicate
  /// The reason.
  case unreadable(String)
}

/// The reason why log entries cannot be downloaded, other than a failed call.
package enum LogDownloadError: Error, Equatable {
  /// The pages would never end.
  case repeatedPageToken
  case tooManyPages
  case tooLarge
  case tooMany
}

extension LogDownloadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .repeatedPageToken: "the server repeats a page token"
    case .tooManyPages: "there are more than \(LogDownload.pageLimit) pages"
    case .tooLarge: "the entries have more than \(LogDownload.sizeLimit >> 20) MiB"
    case .tooMany: "there are more than \(LogDownload.entryLimit) entries"
    }
  }
}
