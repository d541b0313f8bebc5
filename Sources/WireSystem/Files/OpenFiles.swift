/// The number of descriptors that the process may have open.
package enum OpenFiles {
  /// Raises the limit to the system's maximum, which few systems set by default. Returns the new
  /// limit.
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
      // macOS refuses a higher limit, although the maximum may be infinite.
      limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #else
      limit.rlim_cur = limit.rlim_max
    #endif
    let isRaised = unsafe setrlimit(files, &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_cur : before.rlim_cur)
  }
}
