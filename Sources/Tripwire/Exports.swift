// Whoever imports Tripwire can name what it takes and returns: Trip, TripName, CallError, Timestamp.
// What WireGRPC carries it exports itself.
@_exported public import FleetEngineAPI
@_exported public import WireGRPC
