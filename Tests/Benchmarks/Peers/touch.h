// Reads every field of a decoded message: the counterpart of Codec/Touch.swift.

#pragma once

#include <string>

#include "google/maps/fleetengine/v1/trip_api.pb.h"
#include "google/maps/fleetengine/v1/trips.pb.h"

namespace touch {

using namespace maps::fleetengine::v1;
namespace pb = google::protobuf;

inline void Add(double& sum, double value) { sum += value; }
inline void Add(double& sum, const std::string& value) { sum += value.size(); }

inline void Add(double& sum, const google::type::LatLng& m) {
  sum += m.latitude() + m.longitude();
}

inline void Add(double& sum, const pb::Timestamp& m) { sum += m.seconds() + m.nanos(); }
inline void Add(double& sum, const pb::Duration& m) { sum += m.seconds() + m.nanos(); }
inline void Add(double& sum, const pb::DoubleValue& m) { sum += m.value(); }
inline void Add(double& sum, const pb::Int32Value& m) { sum += m.value(); }
inline void Add(double& sum, const pb::BoolValue& m) { sum += m.value(); }

inline void Add(double& sum, const TerminalLocation&);
inline void Add(double& sum, const TerminalPointId&);
inline void Add(double& sum, const StopLocation&);
inline void Add(double& sum, const ConsumableTrafficPolyline&);
inline void Add(double& sum, const SpeedReadingInterval&);
inline void Add(double& sum, const TripAttribute&);
inline void Add(double& sum, const TripWaypoint&);
inline void Add(double& sum, const VehicleLocation&);
inline void Add(double& sum, const Trip&);

template <class M>
void Add(double& sum, const pb::RepeatedPtrField<M>& messages) {
  for (const M& m : messages) Add(sum, m);
}

// A field without presence, and one with presence.
#define TOUCH(field) Add(sum, m.field())
#define TOUCH_SET(field) \
  if (m.has_##field()) Add(sum, m.field())

inline void Add(double& sum, const TerminalPointId& m) {
  TOUCH(value);
  TOUCH_SET(place_id);
  TOUCH_SET(generated_id);
}

inline void Add(double& sum, const TerminalLocation& m) {
  TOUCH_SET(point);
  TOUCH_SET(terminal_point_id);
  TOUCH(access_point_id);
  TOUCH(trip_id);
  TOUCH(terminal_location_type);
}

inline void Add(double& sum, const StopLocation& m) {
  TOUCH_SET(point);
  TOUCH_SET(timestamp);
  TOUCH_SET(stop_time);
}

inline void Add(double& sum, const SpeedReadingInterval& m) {
  TOUCH(start_polyline_point_index);
  TOUCH(end_polyline_point_index);
  TOUCH(speed);
}

inline void Add(double& sum, const ConsumableTrafficPolyline& m) {
  TOUCH(speed_reading_interval);
  TOUCH(encoded_path_to_waypoint);
}

inline void Add(double& sum, const TripAttribute& m) {
  TOUCH(key);
  TOUCH_SET(string_value);
  TOUCH_SET(bool_value);
  TOUCH_SET(number_value);
}

inline void Add(double& sum, const TripWaypoint& m) {
  TOUCH_SET(location);
  TOUCH(trip_id);
  TOUCH(waypoint_type);
  TOUCH(path_to_waypoint);
  TOUCH(encoded_path_to_waypoint);
  TOUCH_SET(traffic_to_waypoint);
  TOUCH_SET(distance_meters);
  TOUCH_SET(eta);
  TOUCH_SET(duration);
}

inline void Add(double& sum, const VehicleLocation& m) {
  TOUCH_SET(location);
  TOUCH_SET(raw_location);
  TOUCH_SET(flp_location);
  TOUCH_SET(supplemental_location);
  TOUCH_SET(update_time);
  TOUCH_SET(server_time);
  TOUCH_SET(raw_location_time);
  TOUCH_SET(flp_update_time);
  TOUCH_SET(supplemental_location_time);
  TOUCH(location_sensor);
  TOUCH(raw_location_sensor);
  TOUCH(supplemental_location_sensor);
  TOUCH_SET(horizontal_accuracy);
  TOUCH_SET(latlng_accuracy);
  TOUCH_SET(bearing_accuracy);
  TOUCH_SET(heading_accuracy);
  TOUCH_SET(altitude);
  TOUCH_SET(vertical_accuracy);
  TOUCH_SET(altitude_accuracy);
  TOUCH_SET(speed);
  TOUCH_SET(speed_accuracy);
  TOUCH_SET(raw_location_accuracy);
  TOUCH_SET(flp_latlng_accuracy_meters);
  TOUCH_SET(supplemental_location_accuracy);
  TOUCH_SET(heading);
  TOUCH_SET(speed_kmph);
  TOUCH_SET(time_since_update);
  TOUCH_SET(num_stale_updates);
  TOUCH_SET(flp_heading_degrees);
  TOUCH_SET(is_road_snapped);
  TOUCH_SET(is_gps_sensor_enabled);
  TOUCH(road_snapped);
}

inline void Add(double& sum, const Trip& m) {
  TOUCH(name);
  TOUCH(vehicle_id);
  TOUCH(trip_status);
  TOUCH(trip_type);
  TOUCH_SET(pickup_point);
  TOUCH_SET(actual_pickup_point);
  TOUCH_SET(actual_pickup_arrival_point);
  TOUCH_SET(pickup_time);
  TOUCH(intermediate_destinations);
  TOUCH_SET(intermediate_destinations_version);
  TOUCH(actual_intermediate_destination_arrival_points);
  TOUCH(actual_intermediate_destinations);
  TOUCH_SET(dropoff_point);
  TOUCH_SET(actual_dropoff_point);
  TOUCH_SET(dropoff_time);
  TOUCH(remaining_waypoints);
  TOUCH(vehicle_waypoints);
  TOUCH(route);
  TOUCH(current_route_segment);
  TOUCH_SET(current_route_segment_version);
  TOUCH_SET(current_route_segment_traffic);
  TOUCH_SET(current_route_segment_traffic_version);
  TOUCH_SET(current_route_segment_end_point);
  TOUCH_SET(eta_to_first_waypoint);
  TOUCH_SET(remaining_time_to_first_waypoint);
  TOUCH_SET(remaining_waypoints_version);
  TOUCH_SET(remaining_waypoints_route_version);
  TOUCH(intermediate_destination_index);
  TOUCH_SET(remaining_distance_meters);
  TOUCH(number_of_passengers);
  TOUCH_SET(last_location);
  TOUCH(last_location_snappable);
  TOUCH(view);
  TOUCH(attributes);
}

inline void Add(double& sum, const SearchTripsResponse& m) {
  TOUCH(trips);
  TOUCH(next_page_token);
}

#undef TOUCH
#undef TOUCH_SET

}  // namespace touch
