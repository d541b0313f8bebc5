// Whoever imports Tripwire can name what it takes and returns: Trip, TripName, CallError, Timestamp.
@_exported public import FleetEngineAPI
@_exported public import WireGRPC
@_exported public import WireProtobuf
@_exported public import WireTLS
