import WireProtobuf

/// Finds the entries in the text of an export: the elements of an array, alone or as `rawLogs` or
/// `entries` of an object, or consecutive objects, with or without commas.
///
/// The text may arrive in pieces. It finds where entries begin and end. Their content is checked when they are
/// decoded. Text that cannot be an entry is skipped, up to the next one.
struct CloudLogSplitter {
  /// A part of the text.
  struct Part {
    /// Where it begins; see ``CloudLogSplitter/line(of:)``.
    let offset: Int
    /// The text of an entry, or the reason why it is none.
    let content: Result<[UInt8], CloudLogError>
  }

  /// What is skipped.
  private enum Skip {
    /// Text outside of objects: the rest of the line, or of the element of the list.
    case text
    /// The rest of an entry.
    case entry(CloudLogEntrySearch)
  }

  /// The arrays of entries in a data set of fleet-debugger, and in responses of `entries:list` and of Fleet Archive.
  private static let lists = ["rawLogs", "rawlogs", "entries", "apiCalls"].map {
    Array("\"\($0)\"".utf8)
  }

  /// In a response of `entries:list`.
  private static let pageToken = Array("\"nextPageToken\"".utf8)

  /// fleet-debugger reads 10,000 entries.
  private static let limit = 200_000
  /// In bytes. Cloud Logging limits entries to 256 KiB.
  private static let entryLimit = 4 << 20
  /// Decoding refuses entries that nest less deep.
  private static let depthLimit = 256
  /// In bytes.
  private static let longestIndent = 1_000
  /// How much text may be read again after damaged entries, in bytes.
  private static let repeatLimit = 32 << 20

  private var scanner = JSONScanner([])
  /// The position of the scanner's text in the file.
  private var start = (line: 1, column: 1)
  /// The open objects and arrays: whether each is an object.
  private var open: [Bool] = []
  /// The depth of the elements of the open array of entries; nil outside of one.
  private var listDepth: Int?
  /// Where the open entry begins. An object outside of an array is one until it has an array of entries.
  private var entryStart: Int?
  /// The token before, in an object or array.
  private var previous: JSONScanner.Token?
  /// Whether the last string in an object outside of an array names an array of entries.
  private var isListNamed = false
  /// Whether the last name in an object outside of an array is that of a page token, and whether there is a token.
  private var pageToken = (isNamed: false, isFound: false)
  /// Whether the last object with an array of entries names another page.
  private(set) var hasNextPage = false
  private var skip: Skip?
  /// How much text was read again.
  private var repeatCount = 0
  /// The number of entries so far, with the damaged ones.
  private(set) var count = 0
  /// The place where the text ends too early, and what is incomplete.
  private(set) var damage: CloudLogError?

  private var depth: Int { open.count }

  init() {
    scanner.isComplete = false
  }

  /// Returns the parts that end in the next piece of the text.
  mutating func add(_ text: [UInt8]) throws(CloudLogError) -> [Part] {
    var text = text[...]
    let mark = JSONScanner.byteOrderMark
    if start == (1, 1), scanner.text.isEmpty, text.starts(with: mark) {
      text = text.dropFirst(mark.count)
    }
    let used = entryStart ?? scanner.nextOffset
    start = position(of: used)
    scanner.append(Array(text), removingFirst: used)
    if entryStart != nil { entryStart = 0 }
    var parts: [Part] = []
    try split(&parts)
    while let entryStart, scanner.text.count - entryStart > Self.entryLimit {
      parts.append(abandon(Self.tooLong, at: entryStart))
      try split(&parts)
    }
    return parts
  }

  /// Returns the parts that end with the text.
  mutating func end() throws(CloudLogError) -> [Part] {
    scanner.isComplete = true
    var parts: [Part] = []
    try split(&parts)
    while let entryStart {
      let end = scanner.position
      parts.append(abandon("the entry has no end", at: entryStart))
      let known = parts.count
      try split(&parts)
      if skip != nil, parts.count == known {
        parts.removeLast()
        count -= 1
        damage = error(at: end, "the file ends in the middle of an entry")
      }
    }
    if depth > 0, skip == nil {
      damage = error(at: scanner.position, "the array of entries has no end")
    }
    return parts
  }

  /// The line of a part that the last call returned.
  func line(of offset: Int) -> Int { position(of: offset).line }

  // MARK: Splitting

  private mutating func split(_ parts: inout [Part]) throws(CloudLogError) {
    while skipped(), let token = scanner.peek() {
      let isOutside = depth == (listDepth ?? 0)
      guard !isOutside || isExpected(token) else {
        parts.append(notAnEntry())
        continue
      }
      guard scanner.next() != nil else { break }
      let start = scanner.range.lowerBound
      if !isOutside, let problem = problem(of: token) {
        parts.append(abandon(problem, at: entryStart ?? start))
        continue
      }
      let isValue = previous == .colon
      previous = token
      switch token {
      case .beginObject, .beginArray:
        if token == .beginArray, depth == 0 || depth == 1 && listDepth == nil && isListNamed {
          listDepth = depth + 1
          entryStart = nil
        } else if isOutside {
          entryStart = start
        }
        open.append(token == .beginObject)
      case .endObject, .endArray:
        open.removeLast()
        if isOutside {
          listDepth = nil
        } else if depth == (listDepth ?? 0) {
          if depth == 0 {
            hasNextPage = entryStart == nil && pageToken.isFound
            pageToken = (false, false)
          }
          if let entryStart { parts.append(entry(at: entryStart)) }
        }
      case .string where depth == 1 && listDepth == nil && isValue:
        if pageToken.isNamed, scanner.range.count > 2 { pageToken.isFound = true }
      case .string where depth == 1 && listDepth == nil:
        let name = scanner.text[scanner.range]
        isListNamed = Self.lists.contains { name.elementsEqual($0) }
        pageToken.isNamed = name.elementsEqual(Self.pageToken)
      case .string, .word, .colon, .comma: break
      }
    }
    guard count <= Self.limit else {
      throw error(
        at: scanner.position,
        "more than \(Self.limit) entries; export the logs of a shorter time range")
    }
  }

  /// Whether a token may be outside of entries.
  private func isExpected(_ token: JSONScanner.Token) -> Bool {
    switch token {
    case .beginObject, .beginArray, .comma: true
    case .endArray: depth > 0
    case .endObject, .string, .word, .colon: false
    }
  }

  /// Why the last token cannot be in an entry whose brackets match; nil if it can.
  private func problem(of token: JSONScanner.Token) -> String? {
    let isInObject = open.last == true
    switch token {
    case .beginObject, .beginArray:
      guard depth < Self.depthLimit else {
        return "nested more than \(Self.depthLimit) levels deep"
      }
      let isElement = !isInObject && (previous == .beginArray || previous == .comma)
      return isElement || previous == .colon
        ? nil : "another object begins in the middle of the entry"
    case .endObject, .endArray:
      return isInObject == (token == .endObject) ? nil : "a bracket of the entry does not match"
    case .string:
      return scanner.hasLineBreak ? "a string of the entry has no end in its line" : nil
    case .word, .colon, .comma: return nil
    }
  }

  private static let tooLong = "longer than \(entryLimit >> 20) MiB"

  private mutating func entry(at start: Int) -> Part {
    entryStart = nil
    count += 1
    return Part(
      offset: start, content: Self.checked(Array(scanner.text[start..<scanner.range.upperBound])))
  }

  /// Returns the text of an entry, unless it is too long.
  static func checked(_ entry: [UInt8]) -> Result<[UInt8], CloudLogError> {
    entry.count <= entryLimit ? .success(entry) : .failure(CloudLogError(tooLong))
  }

  // MARK: Skipping

  /// Skips the text at the present position, which is outside of an entry.
  private mutating func notAnEntry() -> Part {
    let start = scanner.nextOffset
    // A bracket would end what is skipped.
    scanner.move(to: scanner.peek()?.ends == true ? start + 1 : start)
    skip = .text
    return Part(offset: start, content: .failure(CloudLogError("expected a JSON object")))
  }

  /// Skips a damaged entry. Later entries may be in it, up to the present position.
  private mutating func abandon(_ reason: String, at start: Int) -> Part {
    // In a long line, the entry may be at any place.
    let line = scanner.text[max(0, start - Self.longestIndent)..<start]
    let lineStart = line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    let column =
      lineStart.map { start - $0 } ?? (line.startIndex == 0 ? self.start.column - 1 + start : .max)
    skip = .entry(CloudLogEntrySearch(after: start, column: column, in: scanner.text))
    if entryStart == nil { listDepth = nil }
    open.removeLast(depth - (listDepth ?? 0))
    entryStart = nil
    repeatCount += scanner.position - start
    if repeatCount <= Self.repeatLimit { scanner.move(to: start + 1) }
    count += 1
    return Part(offset: start, content: .failure(CloudLogError(reason)))
  }

  /// Skips what has to be skipped. Returns whether that ends in the present text.
  private mutating func skipped() -> Bool {
    let rest = scanner.text[min(scanner.position, scanner.text.count)...]
    switch skip {
    case nil: return true
    case .text:
      let isInList = listDepth != nil
      let end = rest.firstIndex { byte in
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "{"), UInt8(ascii: "["): true
        case UInt8(ascii: ","), UInt8(ascii: "]"): isInList
        default: false
        }
      }
      scanner.move(to: end ?? rest.endIndex)
      if end != nil { skip = nil }
    case .entry(var search):
      let end = search.next(in: rest, isComplete: scanner.isComplete)
      scanner.move(to: end.offset)
      skip = end.isFound ? nil : .entry(search)
    }
    return skip == nil
  }

  // MARK: Errors

  private func error(at offset: Int, _ reason: String) -> CloudLogError {
    let (line, column) = position(of: offset)
    return CloudLogError("\(line):\(column): \(reason)", isPlaced: true)
  }

  private func position(of offset: Int) -> (line: Int, column: Int) {
    var (line, column) = start
    for byte in scanner.text.prefix(offset) {
      column += 1
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) }
    }
    return (line, column)
  }
}
