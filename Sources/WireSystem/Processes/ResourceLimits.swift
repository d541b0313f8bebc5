/// The limits of this process (setrlimit(2)).
package enum ResourceLimits {
  /// Raises the number of descriptors that may be open to the system's maximum, which few systems set by
  /// default. Returns the new limit.
  @discardableResult
  package static func raiseOpenFiles() -> Int {
    change(RLIMIT_NOFILE) { limit in
      #if canImport(Darwin)
        // macOS refuses a higher limit, although the maximum may be infinite.
        limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
      #else
        limit.rlim_cur = limit.rlim_max
      #endif
    }
  }

  /// Limits the memory that the process may allocate, unless it is limited already, as by `ulimit -d`. A
  /// larger allocation then fails. Has no effect on macOS.
  ///
  /// - Parameter size: in bytes, of the heap and the stacks of threads.
  package static func limitMemory(to size: Int) {
    change(RLIMIT_DATA) { limit in
      limit.rlim_cur = min(limit.rlim_cur, max(rlim_t(size), 0))
    }
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
  #else
    private typealias Resource = Int32
  #endif

  /// Returns the limit after the change.
  @discardableResult
  private static func change(_ resource: Resource, _ change: (inout rlimit) -> Void) -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(resource.rawValue)
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
    let before = limit
    change(&limit)
    let isChanged = unsafe setrlimit(resource, &limit) == 0
    return Int(clamping: isChanged ? limit.rlim_cur : before.rlim_cur)
  }
}
