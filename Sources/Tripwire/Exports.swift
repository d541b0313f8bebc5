// `import Tripwire` alone gives access to the types of its API: Trip, TripName, CallError,
// Timestamp. WireGRPCClient exports the modules of its own API.
@_exported public import FleetEngineAPI
@_exported public import FleetEngineDeliveryAPI
@_exported public import WireGRPCClient
