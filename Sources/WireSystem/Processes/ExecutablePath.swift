/// The file of the running program.
package enum ExecutablePath {
  /// The directory of the file, without a slash at its end; nil if the system does not report it.
  package static var directory: String? {
    current.map { "/" + $0.split(separator: "/").dropLast().joined(separator: "/") }
  }

  /// Whether a program of this name is in a list of directories, such as the value of PATH.
  package static func exists(_ name: String, in path: String?) -> Bool {
    (path ?? "").split(separator: ":").contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
  }

  /// The absolute path without symbolic links; nil if the system does not report it.
  private static var current: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if canImport(Darwin)
      var size = UInt32(path.count)
      guard unsafe _NSGetExecutablePath(&path, &size) == 0,
        let resolved = unsafe realpath(path, nil)
      else { return nil }
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    #else
      let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
      guard count > 0 else { return nil }
      return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    #endif
  }
}
