/// How many descriptors the process may have open.
package enum OpenFiles {
  /// Allows as many as the system lets a process have, which few systems do from the start, and
  /// returns how many that are.
  @discardableResult
  package static func raiseLimit() -> Int {
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(files, &limit) == 0 else { return 0 }
    let before = limit
    #if canImport(Darwin)
      // More than this is refused there, though the limit itself may have none.
      limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #else
      limit.rlim_cur = limit.rlim_max
    #endif
    let isRaised = unsafe setrlimit(files, &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_cur : before.rlim_cur)
  }
}
