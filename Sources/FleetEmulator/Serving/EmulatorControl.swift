import FleetEngineAPI
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// The methods of `tripwire.emulator.v1.EmulatorService`.
enum EmulatorControl {
  private typealias Method =
    @Sendable (EmulatedFleet, [UInt8]) throws(EngineError) -> [UInt8]

  static var paths: [String] { methods.keys.sorted() }

  static func hasMethod(_ path: String) -> Bool { methods[path] != nil }

  /// Returns the answer to a call; nil if the service has no such method.
  static func answer(_ path: String, _ request: [UInt8], of fleet: EmulatedFleet) -> UnaryAnswer? {
    guard let method = methods[path] else { return nil }
    do throws(EngineError) {
      return .response(try method(fleet, request))
    } catch {
      return .failure(error.status)
    }
  }

  private static let methods = Dictionary(
    uniqueKeysWithValues: [
      method(EmulatorServiceMethods.createFault) { fleet, request throws(EngineError) in
        try fleet.execute { state, now throws(EngineError) in
          try state.faults.create(request.fault ?? Fault(), at: now)
        }
      },
      method(EmulatorServiceMethods.listFaults) { fleet, _ throws(EngineError) in
        ListFaultsResponse(faults: try fleet.execute { $0.faults.list(at: $1) })
      },
      method(EmulatorServiceMethods.deleteFault) { fleet, request throws(EngineError) in
        try fleet.execute { state, now throws(EngineError) in
          try state.faults.delete(request.name, at: now)
        }
        return Empty()
      },
      method(EmulatorServiceMethods.deleteFaults) { fleet, _ throws(EngineError) in
        try fleet.execute { state, _ in state.faults.deleteAll() }
        return Empty()
      },
      method(EmulatorServiceMethods.advanceTime) { fleet, request throws(EngineError) in
        guard let duration = request.duration?.duration,
          .zero...EmulatorTime.longestStep ~= duration
        else {
          throw .invalid("duration", "must be from 0 to 24 hours")
        }
        return AdvanceTimeResponse(time: try fleet.advanceTime(by: duration))
      },
      method(EmulatorServiceMethods.driveVehicle) { fleet, request throws(EngineError) in
        let order = try DriveOrder(request)
        return DriveVehicleResponse(
          endTime: try fleet.execute { state, now throws(EngineError) in
            try state.drive(order, at: now)
          })
      },
    ])

  private static func method<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor<Request, Response>,
    _ body: @escaping @Sendable (EmulatedFleet, Request) throws(EngineError) -> Response
  ) -> (String, Method) {
    (
      descriptor.path,
      { fleet, bytes throws(EngineError) in
        let request = try mapError(Request(serializedBytes: bytes)) { (error: DecodingError) in
          EngineError(.invalidArgument, "\(error)")
        }
        return try body(fleet, request).serializedBytes()
      }
    )
  }
}
