import CNghttp2

/// Lays header fields out as nghttp2 takes them, on the stack when they are few and small, for
/// the length of `body`; nghttp2 copies them (and lower-cases the names).
func withNameValueArray<Result>(
  _ fields: [HeaderField], _ body: (UnsafeMutablePointer<nghttp2_nv>?, Int) -> Result
) -> Result {
  var octets = 0
  for field in fields { octets += field.name.utf8.count + field.value.utf8.count }
  return unsafe withUnsafeTemporaryAllocation(byteCount: max(octets, 1), alignment: 1) { text in
    unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: max(fields.count, 1)) {
      array in
      var offset = 0
      let fields = fields.span
      for index in fields.indices {
        let name = unsafe copy(fields[index].name, into: text, at: &offset)
        let value = unsafe copy(fields[index].value, into: text, at: &offset)
        let flag = fields[index].isSensitive ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        unsafe array.initializeElement(
          at: index,
          to: nghttp2_nv(
            name: name.baseAddress, value: value.baseAddress, namelen: name.count,
            valuelen: value.count, flags: UInt8(truncatingIfNeeded: flag.rawValue)))
      }
      return unsafe body(array.baseAddress, fields.count)
    }
  }
}

private func copy(
  _ string: borrowing String, into text: UnsafeMutableRawBufferPointer, at offset: inout Int
) -> UnsafeMutableBufferPointer<UInt8> {
  let octets = string.utf8Span.span
  let count = octets.count
  let target = unsafe UnsafeMutableRawBufferPointer(rebasing: text[offset..<offset + count])
  offset += count
  unsafe octets.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
  return unsafe target.bindMemory(to: UInt8.self)
}
