import FleetEngineAPI
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// The methods of `tripwire.emulator.v1.EmulatorService`.
enum EmulatorControl {
  typealias Method = @Sendable (EmulatedFleet, [UInt8]) throws(EngineError) -> [UInt8]

  static var paths: [String] { methods.keys.sorted() }

  /// Returns the method at a path; nil if there is none.
  static func method(_ path: String) -> Method? { methods[path] }

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
