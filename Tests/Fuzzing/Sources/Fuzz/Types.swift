import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// The types under test. The first byte of an input is an index, so append new types.
let types: [any Message.Type] = [
  Trip.self, SearchTripsResponse.self, Vehicle.self,
  Scalars.self, Repeated.self, Optionals.self, Choices.self, Maps.self, Tree.self,
  WellKnown.self, Awkward.self,
  Struct.self, Value.self, ListValue.self, AnyMessage.self, FieldMask.self,
  RPCStatus.self, ErrorInfo.self, QuotaFailure.self, BadRequest.self,
  StringValue.self, BytesValue.self,
  // Plain messages.
  Timestamp.self, WireDuration.self, DoubleValue.self, FloatValue.self, Int64Value.self,
  UInt64Value.self, Int32Value.self, UInt32Value.self, BoolValue.self, Point.self, Span.self,
]

/// The types that an Any may contain.
let registry = TypeRegistry(types)

let jsonDecoding: JSONDecodingOptions = {
  var options = JSONDecodingOptions()
  options.types = registry
  return options
}()

let jsonEncoding = JSONEncodingOptions(types: registry)
