import CNghttp2

/// The version of libnghttp2 that this process uses: `1.52.0`.
package var nghttp2Version: String {
  guard let info = unsafe nghttp2_version(0) else { return "" }
  return unsafe String(cString: info.pointee.version_str)
}
