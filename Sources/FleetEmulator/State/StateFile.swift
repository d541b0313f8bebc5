import FleetEngineAPI
import WireProtobuf
import WireSystem

/// A file that keeps the resources of an engine: an SQLite database with a row for each.
///
/// A saved change survives the end of the process by any cause (docs/decisions/fleet/state-file.md).
package final class StateFile {
  /// Marks the databases of the emulator: "trip" in ASCII.
  private static let applicationID = 0x7472_6970
  /// The version of the table.
  private static let version = 1

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
    do throws(SQLiteError) {
      database = try SQLiteDatabase(path)
    } catch {
      throw StateFileError(path, error)
    }
    guard !database.isReadOnly else { throw .readOnly(path) }
    try Self.check(database, path)
    do throws(SQLiteError) {
      try database.execute("PRAGMA journal_mode = WAL")
      try database.execute("PRAGMA synchronous = NORMAL")
      begin = try SQLiteStatement(database, "BEGIN IMMEDIATE")
      commit = try SQLiteStatement(database, "COMMIT")
      rollback = try SQLiteStatement(database, "ROLLBACK")
      try begin.execute()
      try database.execute(
        """
        CREATE TABLE IF NOT EXISTS resources (
          name TEXT NOT NULL PRIMARY KEY, message BLOB NOT NULL, times TEXT NOT NULL
        ) WITHOUT ROWID
        """)
      try database.execute("PRAGMA application_id = \(Self.applicationID)")
      try database.execute("PRAGMA user_version = \(Self.version)")
      try commit.execute()
      replace = try SQLiteStatement(database, "REPLACE INTO resources VALUES (?, ?, ?)")
      delete = try SQLiteStatement(database, "DELETE FROM resources WHERE name = ?")
    } catch {
      throw StateFileError(path, error)
    }
  }

  /// Locks a database, and checks that it is empty or of this version of the emulator.
  private static func check(
    _ database: SQLiteDatabase, _ path: String
  ) throws(StateFileError) {
    let application: Int
    let version: Int
    let tables: Int
    do throws(SQLiteError) {
      try database.execute("PRAGMA locking_mode = EXCLUSIVE")
      application = try database.execute("PRAGMA application_id")
      version = try database.execute("PRAGMA user_version")
      tables = try database.execute("SELECT count(*) FROM sqlite_schema")
    } catch {
      throw StateFileError(path, error)
    }
    if (application, version, tables) != (0, 0, 0) {
      guard application == applicationID else { throw .ofAnotherProgram(path) }
      guard version == Self.version else { throw .ofAnotherVersion(path) }
    }
  }

  /// Returns an engine with the resources of the file.
  func engine() throws(StateFileError) -> FleetEngine {
    var engine = FleetEngine()
    var invalid: String?
    do throws(SQLiteError) {
      let rows = try SQLiteStatement(database, "SELECT name, message, times FROM resources")
      while invalid == nil, try rows.step() {
        do {
          let key = try ResourceKey(rows.text(0))
          let record = try ResourceRecord(message: rows.bytes(1), times: rows.text(2))
          engine[key] = try key.kind.resource(record)
          _ = engine.takeChanges()
        } catch {
          invalid = "the row of \(rows.text(0)): \(error)"
        }
      }
    } catch {
      throw StateFileError(path, error)
    }
    if let invalid { throw .damaged(path, invalid) }
    return engine
  }

  /// Saves all changes of an engine or, if that fails, undoes them there.
  func save(_ engine: inout FleetEngine) throws(StateFileError) {
    let changes = engine.takeChanges()
    guard !changes.isEmpty else { return }
    do throws(SQLiteError) {
      try begin.execute()
      for key in changes.keys { try save(engine[key]?.record, key.name) }
      try commit.execute()
    } catch {
      // After some failures, SQLite has already done so.
      try? rollback.execute()
      engine.restore(changes)
      throw StateFileError(path, error)
    }
  }

  private func save(_ record: ResourceRecord?, _ name: String) throws(SQLiteError) {
    let statement = record == nil ? delete : replace
    try statement.bind(1, name)
    if let record {
      try statement.bind(2, record.message)
      try statement.bind(3, record.timesText)
    }
    try statement.execute()
  }
}
