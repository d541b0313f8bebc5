package import WireHTTP2

/// The headers of a response (gRPC PROTOCOL-HTTP2, Response-Headers).
package struct ResponseHead {
  let fields: [HeaderField]
  /// 0 if `:status` is not a number.
  let httpStatus: Int
  let contentType: String?
  let isGRPC: Bool
  let coding: ContentCoding
  let metadata: Metadata

  package init(_ fields: [HeaderField]) {
    self.fields = fields
    httpStatus = fields.value(of: ":status").flatMap { Int($0) } ?? 0
    contentType = fields.value(of: "content-type")
    isGRPC = httpStatus == 200 && ContentType(contentType) == .grpc
    coding = ContentCoding(fields.value(of: "grpc-encoding"))
    metadata = Metadata(received: fields)
  }
}
