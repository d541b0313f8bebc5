// Importing Tripwire is enough to name what it takes and returns: Trip, TripName, CallError,
// Timestamp. WireGRPCClient exports the modules of its own API.
@_exported public import FleetEngineAPI
@_exported public import WireGRPCClient
