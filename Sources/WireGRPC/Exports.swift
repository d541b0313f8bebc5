// Exports the types that calls carry, such as Message and Timestamp.
@_exported public import WireProtobuf
