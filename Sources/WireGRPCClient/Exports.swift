// Exports the types that a Channel and its calls use, such as TLSConfiguration, Identity,
// CallError, Metadata and Timestamp.
@_exported public import WireGRPC
@_exported public import WireProtobuf
@_exported public import WireTLS
