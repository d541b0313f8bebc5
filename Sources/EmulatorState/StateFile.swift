package import FleetEmulator
import WireGRPC
import WireSystem

/// A file that keeps the resources of an engine: an SQLite database with a row for each.
///
/// A saved change survives the end of the process by any cause (docs/decisions/fleet/state-file.md).
package final class StateFile: ResourceStore {
  /// Marks the databases of the emulator: "trip" in ASCII.
  private static let applicationID = 0x7472_6970
  /// The version of the table.
  private static let version = 1

  private static let table = """
    CREATE TABLE resources (
      name TEXT NOT NULL PRIMARY KEY, message BLOB NOT NULL, times TEXT NOT NULL
    ) WITHOUT ROWID
    """

  let database: SQLiteDatabase
  private let path: String
  private let begin: SQLiteStatement
  private let commit: SQLiteStatement
  private let rollback: SQLiteStatement
  private let replace: SQLiteStatement
  private let delete: SQLiteStatement

  /// Opens a file, which is created if it does not exist. No other process can use it until this one ends.
  package init(_ path: String) throws(StateFileError) {
    // SQLite would also use a device.
    if LocalFile.identity(of: path) == nil, (try? LocalFile(path)) != nil {
      throw .notRegular(path)
    }
    self.path = path
    database = try SQLiteDatabase(path)
    guard !database.isReadOnly else { throw .readOnly(path) }
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    let isNew = try Self.isNew(database, path)
    try database.execute("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = NORMAL")
    begin = try SQLiteStatement(database, "BEGIN IMMEDIATE")
    commit = try SQLiteStatement(database, "COMMIT")
    rollback = try SQLiteStatement(database, "ROLLBACK")
    if isNew {
      try begin.execute()
      try database.execute(Self.table)
      try database.execute("PRAGMA application_id = \(Self.applicationID)")
      try database.execute("PRAGMA user_version = \(Self.version)")
      try commit.execute()
    }
    replace = try SQLiteStatement(database, "REPLACE INTO resources VALUES (?, ?, ?)")
    delete = try SQLiteStatement(database, "DELETE FROM resources WHERE name = ?")
  }

  /// Returns whether a database is new, after it was checked that others are of this version of the emulator.
  private static func isNew(
    _ database: SQLiteDatabase, _ path: String
  ) throws(StateFileError) -> Bool {
    let application = try database.execute("PRAGMA application_id")
    let version = try database.execute("PRAGMA user_version")
    let tables = try database.execute("SELECT count(*) FROM sqlite_schema")
    if (application, version, tables) == (0, 0, 0) { return true }
    guard application == applicationID else { throw .ofAnotherProgram(path) }
    guard version == Self.version else { throw .ofAnotherVersion(path) }
    // A view or a trigger could take any time.
    let own = try database.execute("SELECT count(*) FROM sqlite_schema WHERE sql = '\(table)'")
    guard (tables, own) == (1, 1) else { throw .damaged(path, "it has other tables") }
    return false
  }

  /// Returns an engine with the resources of the file.
  package func engine() throws(StateFileError) -> FleetEngine {
    var engine = FleetEngine()
    let rows = try SQLiteStatement(database, "SELECT name, message, times FROM resources")
    while try rows.step() {
      do {
        let record = try ResourceRecord(message: rows.bytes(1), times: rows.text(2))
        try engine.load(rows.text(0), record)
      } catch {
        throw StateFileError.damaged(path, "the row of \(rows.text(0)): \(error)")
      }
    }
    return engine
  }

  package func save(_ changes: [String: ResourceRecord?]) throws(EngineError) {
    do throws(StateFileError) {
      try begin.execute()
      for (name, record) in changes { try save(record, name) }
      try commit.execute()
    } catch {
      // After some failures, SQLite has already done so.
      try? rollback.execute()
      throw EngineError(
        error.isDiskFull ? .resourceExhausted : .internal,
        "the emulator cannot save the change: \(error.reason)")
    }
  }

  private func save(_ record: ResourceRecord?, _ name: String) throws(StateFileError) {
    let statement = record == nil ? delete : replace
    try statement.bind(1, name)
    if let record {
      try statement.bind(2, record.message)
      try statement.bind(3, record.timesText)
    }
    try statement.execute()
  }
}
