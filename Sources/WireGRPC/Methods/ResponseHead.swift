package import WireHTTP2

/// The headers of a response (gRPC PROTOCOL-HTTP2, Response-Headers).
package struct ResponseHead {
  package let fields: [HeaderField]
  /// 0 if `:status` is not a number.
  package let httpStatus: Int
  package let contentType: String?
  package let isGRPC: Bool
  package let coding: ContentCoding
  package let metadata: Metadata

  package init(_ fields: [HeaderField]) {
    self.fields = fields
    httpStatus = fields.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0
    contentType = fields.first { $0.name == "content-type" }?.value
    isGRPC = httpStatus == 200 && ContentType(contentType) == .grpc
    coding = ContentCoding(fields.first { $0.name == "grpc-encoding" }?.value)
    metadata = Metadata(received: fields)
  }
}
