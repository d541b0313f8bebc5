// Whoever imports WireGRPC can name what a Channel is made of and what it carries: TLSConfiguration,
// Identity, Message, Timestamp.
@_exported public import WireProtobuf
@_exported public import WireTLS
