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

  /// The number of descriptors that may be open; nil if the system does not report it.
  static var openFiles: Int? { limit(RLIMIT_NOFILE).map { Int(clamping: $0.rlim_cur) } }

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
    guard let before = limit(resource) else { return 0 }
    var limit = before
    change(&limit)
    let isChanged = unsafe setrlimit(number(resource), &limit) == 0
    return Int(clamping: isChanged ? limit.rlim_cur : before.rlim_cur)
  }

  private static func limit(_ resource: Resource) -> rlimit? {
    var limit = rlimit()
    return unsafe getrlimit(number(resource), &limit) == 0 ? limit : nil
  }

  #if canImport(Glibc)
    private static func number(_ resource: Resource) -> __rlimit_resource_t {
      __rlimit_resource_t(resource.rawValue)
    }
  #else
    private static func number(_ resource: Resource) -> Resource { resource }
  #endif
}
