package import Tripwire

/// The timeouts and retry policies of Fleet Engine's own service config, by the paths of the methods.
package struct FleetEngineMethods {
  package static let defaults: [String: (timeout: Duration?, retryPolicy: RetryPolicy?)] = {
    var defaults: [String: (timeout: Duration?, retryPolicy: RetryPolicy?)] = [:]
    func add<Request, Response>(_ method: MethodDescriptor<Request, Response>) {
      defaults[method.path] = (method.timeout, method.retryPolicy)
    }
    add(TripServiceMethods.createTrip)
    add(TripServiceMethods.getTrip)
    add(TripServiceMethods.deleteTrip)
    add(TripServiceMethods.reportBillableTrip)
    add(TripServiceMethods.searchTrips)
    add(TripServiceMethods.updateTrip)
    add(VehicleServiceMethods.createVehicle)
    add(VehicleServiceMethods.getVehicle)
    add(VehicleServiceMethods.deleteVehicle)
    add(VehicleServiceMethods.updateVehicle)
    add(VehicleServiceMethods.updateVehicleAttributes)
    add(VehicleServiceMethods.listVehicles)
    add(VehicleServiceMethods.searchVehicles)
    add(DeliveryServiceMethods.createDeliveryVehicle)
    add(DeliveryServiceMethods.getDeliveryVehicle)
    add(DeliveryServiceMethods.deleteDeliveryVehicle)
    add(DeliveryServiceMethods.updateDeliveryVehicle)
    add(DeliveryServiceMethods.batchCreateTasks)
    add(DeliveryServiceMethods.createTask)
    add(DeliveryServiceMethods.getTask)
    add(DeliveryServiceMethods.deleteTask)
    add(DeliveryServiceMethods.updateTask)
    add(DeliveryServiceMethods.listTasks)
    add(DeliveryServiceMethods.getTaskTrackingInfo)
    add(DeliveryServiceMethods.listDeliveryVehicles)
    return defaults
  }()
}
