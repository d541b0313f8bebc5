/// The parts of a request that determine the call that answers it.
struct RequestForm {
  /// The request without its header and version stamps, in the encoding of this library. Equal requests
  /// have the same form, whatever the order of their fields.
  var canonical: [UInt8]
  /// The name of the resource, such as "providers/p/trips/t1"; empty if the request names none.
  var resource: String

  /// The name without its provider, "trips/t1"; nil if it does not begin with one.
  var shortResource: String? {
    let parts = resource.split(separator: "/", maxSplits: 2)
    return parts.count == 3 && parts[0] == "providers" ? String(parts[2]) : nil
  }
}
