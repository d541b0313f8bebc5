import CSQLite

/// A connection to an SQLite database.
@safe final class SQLiteDatabase {
  private let path: String
  fileprivate let pointer: OpaquePointer

  /// Opens a file, which is created if it does not exist.
  init(_ path: String) throws(StateFileError) {
    self.path = path
    // With a slash, SQLite takes the path as it is: ":memory:" and URIs have other meanings.
    let name = path.hasPrefix("/") ? path : "./\(path)"
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open_v2(
      name, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
    // SQLite has no memory for a connection.
    guard let opened = unsafe opened else {
      throw StateFileError(path, SQLITE_NOMEM, "out of memory")
    }
    unsafe pointer = unsafe opened
    guard status == SQLITE_OK else { throw error(status) }
  }

  deinit {
    // Waits for the statements, which may be released later.
    unsafe sqlite3_close_v2(pointer)
  }

  /// Whether the file cannot be written.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(pointer, "main") == 1 }

  /// Executes a statement that returns no rows, or one with a number.
  @discardableResult
  func execute(_ sql: String) throws(StateFileError) -> Int {
    let statement = try SQLiteStatement(self, sql)
    var number = 0
    while try statement.step() { number = statement.number(0) }
    return number
  }

  fileprivate func error(_ status: Int32) -> StateFileError {
    StateFileError(path, status, unsafe String(cString: sqlite3_errmsg(pointer)))
  }
}

/// A prepared statement, to be executed several times.
@safe final class SQLiteStatement {
  private let database: SQLiteDatabase
  private let pointer: OpaquePointer

  init(_ database: SQLiteDatabase, _ sql: String) throws(StateFileError) {
    self.database = database
    var prepared: OpaquePointer?
    let status = unsafe sqlite3_prepare_v2(database.pointer, sql, -1, &prepared, nil)
    guard let prepared = unsafe prepared else { throw database.error(status) }
    unsafe pointer = unsafe prepared
  }

  deinit {
    unsafe sqlite3_finalize(pointer)
  }

  /// Executes a statement that returns no rows.
  func execute() throws(StateFileError) {
    while try step() {}
  }

  /// Begins with the next row; returns false after the last one, or for a statement without rows.
  func step() throws(StateFileError) -> Bool {
    let status = unsafe sqlite3_step(pointer)
    if status == SQLITE_ROW { return true }
    let error = status == SQLITE_DONE ? nil : database.error(status)
    unsafe sqlite3_reset(pointer)
    if let error { throw error }
    return false
  }

  // MARK: Parameters

  /// - Parameter index: the first parameter has 1.
  func bind(_ index: Int32, _ text: String) throws(StateFileError) {
    let status = unsafe sqlite3_bind_text(
      pointer, index, text, Int32(clamping: text.utf8.count), sqlite_transient())
    guard status == SQLITE_OK else { throw database.error(status) }
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) throws(StateFileError) {
    // Without bytes there may be no address, which would be NULL.
    let status =
      bytes.isEmpty
      ? unsafe sqlite3_bind_zeroblob(pointer, index, 0)
      : unsafe sqlite3_bind_blob(
        pointer, index, bytes, Int32(clamping: bytes.count), sqlite_transient())
    guard status == SQLITE_OK else { throw database.error(status) }
  }

  // MARK: Columns

  /// - Parameter index: the first column has 0.
  func number(_ index: Int32) -> Int { unsafe Int(sqlite3_column_int64(pointer, index)) }

  func text(_ index: Int32) -> String { String(decoding: bytes(index), as: UTF8.self) }

  func bytes(_ index: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(pointer, index) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(pointer, index))
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
