// Importing WireGRPC is enough to name what calls carry: Message, Timestamp.
@_exported public import WireProtobuf
