"""Random requests of every method: mostly valid, with few IDs, so that calls meet the same resources."""

from peers.fleet.methods import METHODS
from peers.recordings import s2
from support.fleet_model import trips as trip_rules

PROVIDER = "providers/p"
TRIPS, VEHICLES = ["t1", "t2", "t3", "t4"], ["v1", "v2"]
TASKS, DELIVERY_VEHICLES, TRACKING = ["k1", "k2", "k3", "k4", "k5"], ["d1", "d2"], ["x1", "x2", "x3"]
BAD_IDS = ["", "a/b", "a:b", "a?", "a,b", "#", "x" * 65, "e\u0301"]
PLACES = [{"latitude": 37.70 + row * 0.004 + column * 0.0004, "longitude": -122.42 + column * 0.005 + row * 0.0005}
          for row in range(4) for column in range(3)]
"""In a skewed grid, so that few distances between two of them are equal."""
BAD_PLACES = [{"latitude": 91}, {"longitude": -181}, {"latitude": float("nan")}]
KEYS, VALUES = ["color", "size", "depot"], ["red", "blue", "2"]
WEIGHTS = {"UpdateTrip": 8, "GetTrip": 5, "CreateTrip": 4, "UpdateVehicle": 7, "GetVehicle": 3, "CreateVehicle": 3,
           "SearchVehicles": 5, "UpdateDeliveryVehicle": 8, "UpdateTask": 4, "CreateTask": 4, "GetTask": 3,
           "GetTaskTrackingInfo": 6, "GetDeliveryVehicle": 3, "CreateDeliveryVehicle": 2, "DeleteVehicle": 0.5,
           "DeleteDeliveryVehicle": 0.5}


class RandomRequests:
    def __init__(self, dice, model):
        self.dice, self.model = dice, model
        self.stamps = {}
        """The versions that were answered, by the name of their resource."""

    def next(self):
        """Returns the name of a method, and the fields of a request."""
        names = list(METHODS)
        [name] = self.dice.choices(names, [WEIGHTS.get(each, 1) for each in names])
        return name, getattr(self, name)()

    def remember(self, answer):
        if hasattr(answer, "name"):
            self.stamps[answer.name] = {field.name: value for field, value in answer.ListFields()
                                        if field.name.endswith("_version")}

    # Parts of requests

    def rarely(self, chance=0.04):
        return self.dice.random() < chance

    def often(self):
        return self.dice.random() < 0.5

    def pick(self, values):
        return self.dice.choice(values)

    def some(self, values, most=3):
        return self.dice.sample(values, self.dice.randint(0, min(most, len(values))))

    def id(self, ids):
        return self.pick(BAD_IDS) if self.rarely() else self.pick(ids)

    def parent(self):
        return self.pick(["p", "", "providers/", "providers/a/b"]) if self.rarely(0.02) else PROVIDER

    def name(self, collection, ids):
        """Returns a name, mostly of a resource that exists."""
        if self.rarely(0.02):
            return self.pick(["", "t1", f"{PROVIDER}/other/t1", f"{PROVIDER}/{collection}"])
        tracking = [each.tracking_id for each in self.state.tasks.values() if each.tracking_id]
        existing = list({
            "trips": self.state.trips, "vehicles": self.state.vehicles, "tasks": self.state.tasks,
            "deliveryVehicles": self.state.delivery_vehicles, "taskTrackingInfo": tracking}.get(collection, ()))
        if existing and not self.rarely(0.1):
            return f"{PROVIDER}/{collection}/{self.pick(existing)}"
        return f"{PROVIDER}/{collection}/{self.id(ids)}"

    def point(self):
        return self.pick(BAD_PLACES) if self.rarely(0.02) else self.pick(PLACES)

    def place(self):
        return {} if self.rarely(0.02) else {"point": self.point()}

    def attributes(self, old=False):
        found = []
        for key in self.some(KEYS, 2) + (["a:b", "", "color"] if self.rarely(0.02) else []):
            value = {"string_value": self.pick(VALUES)}
            if self.rarely(0.1):
                value = self.pick([{"number_value": 2}, {"bool_value": True}, {"string_value": "x" * 260}])
            elif old and self.often():
                value = {"value": self.pick(VALUES)} | (value if self.rarely() else {})
            found.append({"key": key, **value})
        return found

    def location(self):
        location = {"location": self.point()}
        if self.often():
            location["heading"] = 360 if self.rarely() else self.dice.randrange(360)
        if self.rarely(0.1):
            location["location_sensor"] = self.pick(["GPS", "FLEET_ENGINE_LOCATION"] if self.rarely() else ["GPS"])
        if self.rarely(0.1):
            location |= {"is_gps_sensor_enabled": True, "speed": 7.5, "update_time": {"seconds": 1_700_000_000}}
        return {} if self.rarely(0.02) else location

    def route(self, places):
        """Returns an S2 polyline through these places."""
        points = [(each["latitude"], each["longitude"]) for each in places]
        return s2.encoded(points)

    def mask(self, fields, forbidden):
        """Returns the paths of a mask: mostly the given fields."""
        paths = list(fields)
        if self.rarely():
            paths += [self.pick([*forbidden, "wings"])]
        return {"paths": [] if self.rarely(0.01) else paths}

    def filter(self, more=()):
        choices = [f"attributes.{key} = {value}" for key in KEYS for value in VALUES]
        choices += [f'attributes.size != "{self.pick(VALUES)}"', *more]
        parts = [self.pick(choices) for _ in range(self.dice.randint(1, 3))]
        text = parts[0] + "".join(f" {self.pick(['AND', 'OR'])} {each}" for each in parts[1:])
        return self.pick(["color = red", "attributes.a=", "attributes.a = b AND"]) if self.rarely() else text

    def page(self):
        page = {"page_size": -1 if self.rarely(0.02) else self.dice.randrange(4)}
        return page | ({"page_token": "x"} if self.rarely(0.02) else {})

    def viewport(self):
        corner = self.pick(PLACES)
        return {"low": {"latitude": corner["latitude"] - 0.001, "longitude": corner["longitude"] - 0.001},
                "high": {"latitude": corner["latitude"] + 0.006, "longitude": corner["longitude"] + 0.006}}

    # Trips

    @property
    def state(self):
        return self.model.provider(PROVIDER)

    def CreateTrip(self):
        trip = {"trip_type": self.pick(["EXCLUSIVE", "EXCLUSIVE", "SHARED"]), "pickup_point": self.place()}
        if not self.rarely():
            trip["dropoff_point"] = self.place()
        if trip["trip_type"] == "EXCLUSIVE" and self.often() or self.rarely():
            trip["intermediate_destinations"] = [self.place() for _ in range(self.dice.randint(1, 3))]
        if self.often():
            trip |= {"number_of_passengers": -1 if self.rarely() else self.dice.randrange(4),
                     "attributes": self.attributes()}
        if self.rarely():
            trip.pop(self.pick(list(trip)))
        if self.rarely(0.2):
            trip |= {"trip_status": "CANCELED", "remaining_distance_meters": 7, "view": "JOURNEY_SHARING_V1S"}
        trip_id, vehicle_id = self.id(TRIPS), self.pick(["", *VEHICLES, *VEHICLES])
        trip["vehicle_id"] = "v9" if self.rarely() else vehicle_id
        if self.rarely(0.3):
            trip["vehicle_waypoints"] = self.waypoints(vehicle_id, trip_id, trip)
        return {"parent": self.parent(), "trip_id": trip_id, "trip": trip}

    def waypoints(self, vehicle_id, trip_id, trip):
        """Returns the stops of a vehicle and of a trip that becomes its own, often in an order that is allowed."""
        vehicle, own = self.state.vehicles.get(vehicle_id), []
        found = [self.waypoint(key) for key in vehicle.stops if key[0] != trip_id] if vehicle else []
        for kind, field in ((1, "pickup_point"), (3, "intermediate_destinations"), (2, "dropoff_point")):
            places = trip.get(field, [])
            own += [{"trip_id": trip_id, "waypoint_type": kind, "location": each}
                    for each in (places if isinstance(places, list) else [places])]
        at = self.dice.randint(0, len(found))
        found[at:at] = own
        if self.rarely(0.1) and found:
            self.pick([lambda: found.pop(), lambda: self.dice.shuffle(found)])()
        return found

    def waypoint(self, key):
        place = self.state.trips[key[0]].stops()[key].point
        return {"trip_id": key[0], "waypoint_type": key[1],
                "location": {"point": {"latitude": place.latitude, "longitude": place.longitude}}}

    def GetTrip(self):
        name = self.name("trips", TRIPS)
        stamps = self.stamps.get(name, {}) if self.often() else {}
        known = {field: value for field, value in stamps.items()
                 if self.often() and not field.startswith("intermediate")}
        return {"name": name, "view": self.pick([0, 0, 1, 2]), "route_format_type": self.pick([0, 1, 2])} | known

    def DeleteTrip(self):
        return {"name": self.name("trips", TRIPS)}

    def UpdateTrip(self):
        name = self.name("trips", TRIPS)
        stored = self.state.trips.get(name.rpartition("/")[2])
        trip, now = {}, stored.message if stored else None
        if not self.rarely(0.4):
            trip["trip_status"] = self.next_status(now)
        if now and now.intermediate_destinations and self.often():
            index = self.dice.randint(0, len(now.intermediate_destinations) - 1)
            index = max(now.intermediate_destination_index, index)
            trip["intermediate_destination_index"] = 9 if self.rarely() else index
        if self.rarely(0.15):
            trip["vehicle_id"] = "v9" if self.rarely() else self.pick(["", *VEHICLES])
        for field, make in (("pickup_point", self.place), ("dropoff_point", self.place), ("attributes", self.attributes),
                            ("trip_type", lambda: self.pick(["SHARED", "EXCLUSIVE", 0]))):
            if self.rarely():
                trip[field] = make()
        if self.rarely(0.05):
            trip["intermediate_destinations"] = [self.place() for _ in range(self.dice.randint(0, 3))]
        if self.rarely(0.05):
            trip["actual_pickup_point"] = {"point": self.pick(PLACES)}
        if not trip:
            trip["trip_status"] = self.next_status(now)
        mask = self.mask(trip, ["name", "number_of_passengers", "route", "remaining_waypoints_version"])
        if self.rarely(0.1):
            stamps = self.stamps.get(name, {})
            trip["intermediate_destinations_version"] = (
                {"seconds": 7} if self.often() else stamps.get("intermediate_destinations_version", {"seconds": 8}))
        return {"name": name, "trip": trip, "update_mask": mask}

    def next_status(self, trip):
        """Returns mostly a status that the trip may have next."""
        order = [1, 2, 3, 8, 7, 4, 5]
        if not trip or self.rarely(0.1):
            return self.pick([*range(1, 9), 0, 99] if self.rarely(0.1) else range(1, 9))
        if self.rarely():
            return trip_rules.CANCELED
        at = order.index(trip.trip_status) if trip.trip_status in order else 6
        status = order[min(6, at + self.pick([0, 1, 1, 1, 2]))]
        if status in (7, 8) and not trip.intermediate_destinations:
            return 4
        return status

    def SearchTrips(self):
        request = {"parent": self.parent(), **self.page(), "active_trips_only": self.often()}
        if self.often():
            request["vehicle_id"] = self.pick(VEHICLES)
        if self.rarely(0.2):
            request["minimum_staleness"] = {"seconds": self.pick([0, 10, 100, -1 if self.rarely() else 50])}
        return request

    def ReportBillableTrip(self):
        return {"name": self.name("billableTrips", ["b1"]), "country_code": self.pick(["US", "FR", "usa", "", "us"]),
                "platform": "SERVER", "related_ids": ["x"] * self.pick([0, 1, 50, 51]),
                "solution_type": self.pick([0, 1])}

    # Vehicles

    def vehicle(self):
        types = ["SHARED", "EXCLUSIVE"]
        return {"vehicle_state": "OFFLINE" if self.rarely(0.1) else "ONLINE",
                "supported_trip_types": types if self.often() else [self.pick(types)],
                "maximum_capacity": self.dice.randint(1, 5), "vehicle_type": {"category": self.pick(["AUTO", "TAXI"])},
                "attributes": self.attributes(old=True), "back_to_back_enabled": self.often(),
                "license_plate": {"country_code": "" if self.rarely() else "US", "last_character": "4"},
                "last_location": self.location()}

    def CreateVehicle(self):
        vehicle = self.vehicle()
        for field in ("last_location", "license_plate", "attributes"):
            if self.rarely(0.3):
                del vehicle[field]
        if self.rarely(0.1):
            vehicle.pop(self.pick(list(vehicle)))
        if self.rarely(0.1):
            vehicle |= {"current_trips": ["t1"], "navigation_status": "OFF_ROUTE", "remaining_distance_meters": 4,
                        "current_route_segment": self.route(PLACES[:2])}
        return {"parent": self.parent(), "vehicle_id": self.id(VEHICLES), "vehicle": vehicle}

    def GetVehicle(self):
        name = self.name("vehicles", VEHICLES)
        stamps = self.stamps.get(name, {}) if self.often() else {}
        return {"name": name} | {field: value for field, value in stamps.items() if self.often()
                                 and field in ("current_route_segment_version", "waypoints_version")}

    def DeleteVehicle(self):
        return {"name": self.name("vehicles", VEHICLES)}

    def UpdateVehicle(self):
        name = self.name("vehicles", VEHICLES)
        stored = self.state.vehicles.get(name.rpartition("/")[2])
        vehicle = {}
        if self.often():
            vehicle["last_location"] = self.location()
        if self.often():
            end = self.pick(PLACES)
            if stored and stored.stops:
                end = self.waypoint(stored.stops[0])["location"]["point"]
            vehicle |= {"current_route_segment": self.route([self.pick(PLACES), end]),
                        "remaining_distance_meters": self.dice.randrange(5000),
                        "remaining_time_seconds": self.dice.randrange(900)}
            if self.rarely(0.2):
                del vehicle[self.pick(list(vehicle))]
        elif self.rarely(0.1):
            vehicle |= self.pick([{"current_route_segment": ""}, {"remaining_distance_meters": 12},
                                  {"eta_to_first_waypoint": {"seconds": int(self.model.now) + 30}},
                                  {"past_locations": [self.location()]}, {"current_route_segment": "no polyline"}])
        if self.rarely(0.15):
            vehicle |= {field: value for field, value in self.vehicle().items() if self.rarely(0.3)}
        if self.rarely(0.1):
            vehicle["navigation_status"] = self.pick(["NO_GUIDANCE", "OFF_ROUTE"])
        if stored and self.rarely(0.1):
            vehicle["waypoints"] = [self.waypoint(key) for key in stored.stops]
            if self.often():
                key = lambda each: (each["trip_id"], self.rarely(0.1))
                vehicle["waypoints"].sort(key=key, reverse=self.often())
            if self.rarely(0.1):
                vehicle["waypoints"] = vehicle["waypoints"][1:]
        if not vehicle:
            vehicle["last_location"] = self.location()
        return {"name": name, "vehicle": vehicle, "update_mask": self.mask(vehicle, [
            "name", "current_trips", "waypoints_version", "current_route_segment_version"])}

    def UpdateVehicleAttributes(self):
        return {"name": self.name("vehicles", VEHICLES), "attributes": self.attributes(old=True)}

    def ListVehicles(self):
        request = {"parent": self.parent(), **self.page(),
                   "vehicle_type_categories": [] if self.rarely() else self.pick([["AUTO"], ["AUTO", "TAXI"]])}
        choices = {
            "minimum_capacity": lambda: -1 if self.rarely() else self.dice.randrange(5),
            "trip_types": lambda: [self.pick(["SHARED", "EXCLUSIVE"])],
            "maximum_staleness": lambda: {"seconds": self.pick([0, 10, 100])},
            "vehicle_state": lambda: self.pick(["ONLINE", "OFFLINE"]), "on_trip_only": self.often,
            "viewport": self.viewport}
        request |= {field: make() for field, make in choices.items() if self.rarely(0.15)}
        pair = lambda: f"{self.pick(KEYS)}:{self.pick(VALUES)}"
        for field in "required_attributes", "required_one_of_attributes", "required_one_of_attribute_sets":
            if self.rarely(0.1):
                request[field] = ["nothing"] if self.rarely() else [
                    pair() if field == "required_attributes" else "|".join([pair(), pair()])]
        if self.rarely(0.2):
            request["filter"] = self.filter()
        return request

    def SearchVehicles(self):
        request = {
            "parent": self.parent(), "pickup_point": self.place(),
            "pickup_radius_meters": self.pick([400, 2000, 5000, 9000]), "count": self.pick([1, 2, 50]),
            "minimum_capacity": self.pick([1, 1, 2]), "trip_types": ["EXCLUSIVE"], "order_by": self.dice.randint(1, 5),
            "vehicle_types": [{"category": "AUTO"}, {"category": "TAXI"}]}
        if self.often():
            request["dropoff_point"] = self.place()
        if self.often() and (request.get("dropoff_point") or self.rarely()):
            request |= {"trip_types": ["SHARED"], "current_trips_present": 0 if self.rarely() else self.pick([1, 2, 2])}
        elif not self.rarely(0.2):
            request |= self.pick([{"include_back_to_back": True}, {"current_trips_present": self.pick([1, 2])}])
        if self.rarely(0.7):
            request["maximum_staleness"] = {"seconds": self.pick([20, 3000, 3000])}
        attribute = lambda: {"key": self.pick(KEYS), "string_value": self.pick(VALUES)}
        if self.rarely(0.1):
            request["required_attributes"] = [attribute()]
        for field in "required_one_of_attributes", "required_one_of_attribute_sets":
            if self.rarely(0.1):
                request[field] = [{"attributes": [attribute(), attribute()]}]
        if self.rarely(0.1):
            request["filter"] = self.filter()
        if self.rarely():
            request |= self.pick([{"count": 0}, {"count": 51}, {"pickup_radius_meters": 399}, {"order_by": 0},
                                  {"trip_types": []}, {"vehicle_types": [{}]}, {"minimum_capacity": 0}])
        return request

    # Deliveries

    def CreateDeliveryVehicle(self):
        vehicle = {field: value for field, value in {
            "type_": self.pick(["AUTO", "BICYCLE"]), "last_location": self.location(),
            "attributes": self.attributes(old=True)}.items() if self.often()}
        if self.rarely():
            vehicle |= self.pick([
                {"remaining_distance_meters": 3}, {"navigation_status": "OFF_ROUTE"}, {"name": "ignored"}])
        request = {"parent": self.parent(), "delivery_vehicle_id": self.id(DELIVERY_VEHICLES)}
        return request if self.rarely() else request | {"delivery_vehicle": vehicle}

    def GetDeliveryVehicle(self):
        return {"name": self.name("deliveryVehicles", DELIVERY_VEHICLES)}

    def DeleteDeliveryVehicle(self):
        return {"name": self.name("deliveryVehicles", DELIVERY_VEHICLES)}

    def UpdateDeliveryVehicle(self):
        name = self.name("deliveryVehicles", DELIVERY_VEHICLES)
        stored = self.state.delivery_vehicles.get(name.rpartition("/")[2])
        vehicle = {}
        if self.often():
            vehicle["last_location"] = self.location()
        if self.often():
            vehicle["remaining_vehicle_journey_segments"] = self.journey(stored)
        if self.rarely(0.3):
            end = self.pick(PLACES)
            if stored and stored.message.remaining_vehicle_journey_segments:
                point = stored.message.remaining_vehicle_journey_segments[0].stop.planned_location.point
                end = {"latitude": point.latitude, "longitude": point.longitude}
            vehicle |= {"current_route_segment": self.route([self.pick(PLACES), end]).encode(),
                        "remaining_distance_meters": self.dice.randrange(5000),
                        "remaining_duration": {"seconds": self.dice.randrange(900)}}
            if self.rarely(0.2):
                del vehicle[self.pick(list(vehicle))]
        elif self.rarely(0.1):
            vehicle |= self.pick([{"current_route_segment": b""}, {"past_locations": [self.location()]},
                                  {"current_route_segment": b"no polyline"}])
        if self.rarely(0.1):
            vehicle |= self.pick([{"type": "BICYCLE"}, {"attributes": self.attributes(old=True)},
                                  {"navigation_status": "OFF_ROUTE"}, {"remaining_distance_meters": 5}])
        if not vehicle:
            vehicle["last_location"] = self.location()
        mask = self.mask(vehicle, ["name"])
        if "type" in vehicle:
            vehicle["type_"] = vehicle.pop("type")
        return {"delivery_vehicle": {"name": name} | vehicle, "update_mask": mask}

    def journey(self, stored):
        """Returns a new journey, or the present one after a step."""
        present = list(stored.message.remaining_vehicle_journey_segments) if stored else []
        segments = []
        for segment in present:
            point = segment.stop.planned_location.point
            segments.append({"stop": {
                "planned_location": {"point": {"latitude": point.latitude, "longitude": point.longitude}},
                "state": segment.stop.state, "tasks": [{"task_id": each.task_id} for each in segment.stop.tasks]}})
        kind = self.dice.randrange(6)
        if kind == 0 and segments:
            segments[0]["stop"]["state"] = self.pick(["ENROUTE", "ARRIVED"])
        elif kind == 1:
            segments = segments[1:]
        elif kind == 2 and self.often():
            self.dice.shuffle(segments)
        elif kind >= 3 and len(segments) < 6:
            used = [each["task_id"] for segment in segments for each in segment["stop"]["tasks"]]
            free = [each for each, task in self.state.tasks.items() if each not in used and task.state == 1
                    and task.delivery_vehicle_id in ("", stored.id if stored else "")]
            tasks = self.some(free, 2) if not self.rarely() else [self.pick([*TASKS, "k9"])]
            way = {"driving_distance_meters": 100, "driving_duration": {"seconds": 7}} if self.rarely(0.1) else {}
            stop = {"planned_location": self.place(), "state": self.pick(["NEW", "ENROUTE"]),
                    "tasks": [{"task_id": each} for each in tasks]}
            if self.rarely():
                stop.pop(self.pick(list(stop)))
            places = [each["stop"].get("planned_location") for each in segments]
            if stop.get("planned_location") not in places:
                segments.insert(self.dice.randint(0, len(segments)), {"stop": stop} | way)
        return segments

    def ListDeliveryVehicles(self):
        request = {"parent": self.parent(), **self.page()}
        if self.rarely(0.3):
            request["filter"] = self.filter()
        return request | ({"viewport": self.viewport()} if self.rarely(0.2) else {})

    def task(self):
        task = {"type_": self.dice.randint(1, 4), "state": "OPEN", "tracking_id": self.id(TRACKING),
                "planned_location": self.place(), "task_duration": {"seconds": self.dice.randrange(300)}}
        if task["type_"] > 2 and not self.rarely():
            del task["tracking_id"]
        if self.often():
            task |= {"attributes": self.attributes(), "target_time_window": self.window()}
        if self.rarely(0.3):
            task["task_tracking_view_config"] = self.view_config()
        if self.rarely():
            task.pop(self.pick(list(task)))
        if self.rarely():
            task |= self.pick([{"task_outcome": "FAILED"}, {"delivery_vehicle_id": "d1"}, {"name": "ignored"},
                               {"task_outcome_time": {"seconds": 1}}])
        return task

    def window(self):
        start = self.dice.randrange(1000)
        end = start + (-1 if self.rarely(0.02) else self.pick([0, 50]))
        return {"start_time": {"seconds": start}, "end_time": {"seconds": end}}

    def view_config(self):
        options = [{"always": True}, {"never": True}, {"remaining_stop_count_threshold": self.dice.randint(0, 3)},
                   {"remaining_driving_distance_meters_threshold": self.pick([0, 500, 1500, 9000])},
                   {"duration_until_estimated_arrival_time_threshold": {"seconds": self.pick([0, 100, 10_000])}}]
        return {f"{field}_visibility": self.pick(options) for field in (
            "route_polyline_points", "estimated_arrival_time", "estimated_task_completion_time",
            "remaining_driving_distance", "remaining_stop_count", "vehicle_location") if self.often()}

    def CreateTask(self):
        return {"parent": self.parent(), "task_id": self.id(TASKS), "task": self.task()}

    def BatchCreateTasks(self):
        requests = [{"task_id": each, "task": self.task()} for each in self.some(TASKS, 2)]
        for each in requests:
            if self.rarely(0.1):
                each |= self.pick([{"parent": PROVIDER}, {"parent": "providers/q"}, {"task_id": "k1"}])
        return {"parent": self.parent(), "requests": requests}

    def GetTask(self):
        return {"name": self.name("tasks", TASKS)}

    def DeleteTask(self):
        return {"name": self.name("tasks", TASKS)}

    def UpdateTask(self):
        choices = {
            "state": lambda: self.pick([1, 2, 2, 0 if self.rarely() else 2]),
            "task_outcome": lambda: self.pick([1, 1, 2, 0 if self.rarely() else 1]),
            "task_outcome_location": self.place, "task_outcome_time": lambda: {"seconds": self.dice.randrange(10_000)},
            "attributes": self.attributes, "target_time_window": self.window,
            "task_tracking_view_config": self.view_config}
        task = {field: make() for field, make in choices.items() if self.rarely(0.25)}
        mask = self.mask(task, ["name", "type", "tracking_id", "delivery_vehicle_id", "planned_location"])
        return {"task": {"name": self.name("tasks", TASKS)} | task, "update_mask": mask}

    def ListTasks(self):
        request = {"parent": self.parent(), **self.page()}
        if self.often():
            request["filter"] = self.filter([
                "state = OPEN", "state = CLOSED", "type = DELIVERY", "task_outcome = SUCCEEDED", "tracking_id = x1",
                "delivery_vehicle_id = d1", 'task_outcome_time < "1970-01-01T01:00:00Z"'])
        return request

    def GetTaskTrackingInfo(self):
        return {"name": self.name("taskTrackingInfo", TRACKING)}
