// Importing WireGRPCClient is enough to make calls: it exports the types that a Channel is made of
// and that its calls take and return, such as TLSConfiguration, Identity, CallError, Metadata and
// Timestamp.
@_exported public import WireGRPC
@_exported public import WireProtobuf
@_exported public import WireTLS
