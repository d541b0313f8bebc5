import DynamicProtobuf
import Testing
import WireProtobuf

@testable import CommandShell
@testable import RecordingAnalysis

@Suite struct AnonymousFieldsTests {
  /// A new field of the API must be added here after a review of whether it can identify anyone.
  @Test func keptFieldsAreListed() throws {
    let pool = try EmbeddedSchema.pool([])
    var kept: Set<String> = []
    for message in pool.messages
    where message.fullName.hasPrefix("maps.fleetengine.") && !Self.isDropped(message, in: pool) {
      for field in message.fields {
        if case .enum = field.type { continue }
        if case .keep = AnonymousFields.rule(for: field, of: message, in: pool) {
          kept.insert(field.name)
        }
      }
    }
    #expect(
      kept.sorted() == [
        "active_trips_only", "altitude_accuracy", "always", "android_api_level",
        "back_to_back_enabled",
        "battery_percentage", "bearing_accuracy", "count",
        "current_route_segment_traffic_version", "current_route_segment_version",
        "distance_meters", "driving_distance_meters", "driving_duration", "dropoff_time",
        "duration", "duration_until_estimated_arrival_time_threshold",
        "end_polyline_point_index", "end_time", "estimated_arrival_time",
        "estimated_task_completion_time", "eta", "eta_to_first_waypoint", "flp_heading_degrees",
        "flp_latlng_accuracy_meters",
        "flp_update_time", "heading", "heading_accuracy", "horizontal_accuracy",
        "include_back_to_back", "intermediate_destination_index",
        "intermediate_destinations_version", "is_gps_sensor_enabled", "is_interactive",
        "is_power_save_mode", "is_road_snapped", "last_location_snappable", "latlng_accuracy",
        "length_meters", "maximum_capacity", "maximum_staleness", "minimum_capacity",
        "minimum_staleness", "never", "num_stale_updates", "number_of_passengers", "offset_meters",
        "on_trip_only", "page_size", "pickup_radius_meters", "pickup_time",
        "raw_location_accuracy", "raw_location_time", "remaining_distance_meters",
        "remaining_driving_distance_meters", "remaining_driving_distance_meters_threshold",
        "remaining_duration", "remaining_stop_count", "remaining_stop_count_threshold",
        "remaining_time_seconds", "remaining_time_to_first_waypoint",
        "remaining_waypoints_route_version", "remaining_waypoints_version", "road_snapped",
        "server_time", "speed", "speed_accuracy", "speed_kmph", "start_polyline_point_index",
        "start_time", "stop_time", "supplemental_location_accuracy", "supplemental_location_time",
        "task_duration", "task_outcome_time", "time_since_update", "timestamp", "total_size",
        "update_time", "vehicle_dropoff_eta",
        "vehicle_pickup_distance_meters", "vehicle_pickup_eta",
        "vehicle_pickup_straight_line_distance_meters",
        "vehicle_pickup_to_dropoff_distance_meters", "vertical_accuracy", "waypoints_version",
      ])
  }

  private static func isDropped(_ type: MessageDescriptor, in pool: DescriptorPool) -> Bool {
    pool.messages.contains { message in
      message.fields.contains { field in
        guard case .message(let index) = field.type, pool.messages[index] === type,
          case .drop = AnonymousFields.rule(for: field, of: message, in: pool)
        else { return false }
        return true
      }
    }
  }

  @Test(arguments: [
    ("maps.fleetengine.v1.Vehicle", "attributes"), ("maps.fleetengine.v1.Vehicle", "license_plate"),
    ("maps.fleetengine.v1.Trip", "attributes"), ("maps.fleetengine.v1.VehicleLocation", "altitude"),
    ("maps.fleetengine.v1.SearchVehiclesRequest", "filter"),
    ("maps.fleetengine.v1.ListVehiclesRequest", "viewport"),
    ("maps.fleetengine.delivery.v1.Task", "attributes"),
    ("maps.fleetengine.delivery.v1.DeliveryVehicle", "attributes"),
    ("maps.fleetengine.delivery.v1.DeliveryVehicleLocation", "altitude"),
    ("maps.fleetengine.delivery.v1.ListTasksRequest", "filter"),
    ("maps.fleetengine.v1.RequestHeader", "device_model"), ("google.rpc.DebugInfo", "detail"),
    ("google.rpc.Help.Link", "url"),
  ])
  func identifyingFieldsAreDropped(type: String, name: String) throws {
    let pool = try EmbeddedSchema.pool([])
    let message = try #require(pool.message(type))
    let field = try #require(message[name])
    guard case .drop = AnonymousFields.rule(for: field, of: message, in: pool) else {
      Issue.record("\(type).\(name) is copied")
      return
    }
  }
}
