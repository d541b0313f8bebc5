import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct TaskTests {
  private var fleet = TestFleet()

  private typealias Change = @Sendable (inout DeliveryTask) -> Void
  private static let second = Timestamp(seconds: 1, nanos: 0)

  // MARK: Creation

  @Test mutating func createKeepsTheDocumentedFields() throws {
    let task = try fleet.createTask("t1") {
      $0.name = "providers/other/tasks/x"
      $0.targetTimeWindow = TimeWindow(startTime: Self.second, endTime: Self.second)
      $0.attributes = [TaskAttribute(key: "parcels", taskAttributeValue: .numberValue(2))]
    }
    #expect(task.name == "providers/p/tasks/t1")
    #expect(task.state == .open)
    #expect(task.trackingId == "track-t1")
    #expect(task.targetTimeWindow?.endTime == Self.second)
    #expect(task.journeySharingInfo == nil)
    #expect(try fleet.task("t1") == task)
    let again = try fleet.failure(DeliveryServiceMethods.createTask, TestFleet.task("t1"))
    #expect(again.code == .alreadyExists)
    let info = try again.status.details[0].unpack(ResourceInfo.self)
    #expect(info?.resourceType == "fleetengine.googleapis.com/Task")
    #expect(info?.resourceName == "providers/p/tasks/t1")
  }

  private static let invalidFields: [(String, Change)] = [
    ("task.type", { $0.type = .unspecified }),
    ("task.type", { $0.type = .unrecognized(9) }),
    ("task.state", { $0.state = .unspecified }),
    ("task.state", { $0.state = .closed }),
    ("task.tracking_id", { $0.trackingId = "" }),
    ("task.tracking_id", { $0.trackingId = "a/b" }),
    ("task.tracking_id", { $0.type = .unavailable }),
    ("task.tracking_id", { $0.type = .scheduledStop }),
    ("task.planned_location", { $0.plannedLocation = nil }),
    ("task.planned_location.point", { $0.plannedLocation = .at(0, 181) }),
    ("task.task_duration", { $0.taskDuration = nil }),
    ("task.task_duration", { $0.taskDuration = WireDuration(.zero) }),
    ("task.task_duration", { $0.taskDuration = WireDuration(seconds: .max, nanos: 0) }),
    (
      "task.target_time_window",
      {
        $0.targetTimeWindow = TimeWindow(
          startTime: Self.second, endTime: Timestamp(seconds: 0, nanos: 1))
      }
    ),
    ("task.target_time_window.end_time", { $0.targetTimeWindow = TimeWindow(startTime: second) }),
    ("task.task_outcome", { $0.taskOutcome = .succeeded }),
    ("task.task_outcome_time", { $0.taskOutcomeTime = Self.second }),
    ("task.delivery_vehicle_id", { $0.deliveryVehicleId = "v1" }),
    ("task.journey_sharing_info", { $0.journeySharingInfo = .init() }),
    ("task.attributes[0].key", { $0.attributes = [TaskAttribute(key: "a:b")] }),
    (
      "task.attributes",
      { $0.attributes = [TaskAttribute(key: "a"), TaskAttribute(key: "a")] }
    ),
    (
      "task.task_tracking_view_config.vehicle_location_visibility",
      { task in
        var config = DeliveryTaskTrackingViewConfig()
        config.vehicleLocationVisibility = .of(.always(false))
        task.taskTrackingViewConfig = config
      }
    ),
  ]

  @Test(arguments: invalidFields)
  mutating func createNamesTheInvalidField(
    _ field: String, _ change: @Sendable (inout DeliveryTask) -> Void
  ) throws {
    let error = try fleet.failure(
      DeliveryServiceMethods.createTask, TestFleet.task("t1", change))
    #expect(error.code == .invalidArgument)
    #expect(error.fields == [field])
  }

  @Test mutating func anUnavailableTaskNeedsNoPlace() throws {
    let task = try fleet.createTask("t1") {
      $0.type = .unavailable
      $0.trackingId = ""
      $0.plannedLocation = nil
    }
    #expect(task.type == .unavailable)
  }

  // MARK: Batches

  @Test mutating func aBatchCreatesAllTasksOrNone() throws {
    var request = BatchCreateTasksRequest(
      parent: "providers/p", requests: [TestFleet.task("t1"), TestFleet.task("t2")])
    request.requests[1].parent = ""
    #expect(
      try fleet.call(DeliveryServiceMethods.batchCreateTasks, request).tasks.map(\.name) == [
        "providers/p/tasks/t1", "providers/p/tasks/t2",
      ])
    request.requests[0].taskId = "t3"
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).code == .alreadyExists)
    request.requests[1].taskId = "t4"
    request.requests[1].task?.state = .closed
    request.requests[1].parent = "providers/q"
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).fields == [
        "requests[1].parent", "requests[1].task.state",
      ])
    request.requests[1] = TestFleet.task("t3")
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).fields == [
        "requests[1].task_id"
      ])
    request.header = DeliveryRequestHeader(languageCode: "en")
    request.requests = [TestFleet.task("t3")]
    request.requests[0].header = DeliveryRequestHeader(languageCode: "de")
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).fields == [
        "requests[0].header"
      ])
  }

  @Test mutating func aBatchHasOneTo500Tasks() throws {
    var request = BatchCreateTasksRequest(
      parent: "providers/p", requests: (0...500).map { TestFleet.task("t\($0)") })
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).fields == ["requests"])
    request.requests.removeLast()
    #expect(try fleet.call(DeliveryServiceMethods.batchCreateTasks, request).tasks.count == 500)
    request.requests = []
    #expect(
      try fleet.failure(DeliveryServiceMethods.batchCreateTasks, request).fields == ["requests"])
  }

  // MARK: Updates

  @Test(arguments: [
    ("type", "names type, which is immutable"),
    ("tracking_id", "names tracking_id, which is immutable"),
    ("planned_location.point", "names planned_location, which is immutable"),
    ("task_duration", "names task_duration, which is immutable"),
    ("name", "names name, which Fleet Engine maintains"),
    ("delivery_vehicle_id", "names delivery_vehicle_id, which Fleet Engine maintains"),
    ("journey_sharing_info.last_location", "names journey_sharing_info, which Fleet Engine"),
    ("task_outcome_location_source", "names task_outcome_location_source, which Fleet Engine"),
    ("", "must contain at least one field"), ("nothing", "nothing"),
  ])
  mutating func someFieldsCannotBeUpdated(_ mask: String, _ reason: String) throws {
    try fleet.createTask("t1")
    let error = try fleet.failure(
      DeliveryServiceMethods.updateTask, TestFleet.taskUpdate("t1", mask) { _ in })
    #expect(error.fields == ["update_mask"])
    #expect(error.status.message.contains(reason))
  }

  private static let invalidUpdates: [(String, String, Change)] = [
    ("state", "task.state", { $0.state = .unspecified }),
    ("task_outcome", "task.task_outcome", { $0.taskOutcome = .unrecognized(7) }),
    (
      "task_outcome_location", "task.task_outcome_location.point",
      { $0.taskOutcomeLocation = .at(91, 0) }
    ),
    (
      "target_time_window", "task.target_time_window.start_time",
      { $0.targetTimeWindow = TimeWindow(endTime: Self.second) }
    ),
    ("attributes", "task.attributes[0].key", { $0.attributes = [TaskAttribute()] }),
  ]

  @Test(arguments: invalidUpdates)
  mutating func updateNamesTheInvalidField(
    _ mask: String, _ field: String, _ change: @Sendable (inout DeliveryTask) -> Void
  ) throws {
    try fleet.createTask("t1")
    let error = try fleet.failure(
      DeliveryServiceMethods.updateTask, TestFleet.taskUpdate("t1", mask, change))
    #expect(error.fields == [field])
  }

  @Test mutating func masksLeadIntoMessages() throws {
    try fleet.createTask("t1") {
      $0.targetTimeWindow = TimeWindow(
        startTime: Self.second, endTime: Timestamp(seconds: 5, nanos: 0))
    }
    let task = try fleet.updateTask("t1", "target_time_window.end_time") {
      $0.targetTimeWindow = TimeWindow(
        startTime: Timestamp(seconds: 3, nanos: 0), endTime: Timestamp(seconds: 9, nanos: 0))
    }
    #expect(task.targetTimeWindow?.startTime == Self.second)
    #expect(task.targetTimeWindow?.endTime?.seconds == 9)
  }

  @Test mutating func closedIsFinal() throws {
    try fleet.createTask("t1")
    #expect(try fleet.updateTask("t1", "state") { $0.state = .closed }.state == .closed)
    #expect(try fleet.updateTask("t1", "state") { $0.state = .closed }.state == .closed)
    let error = try fleet.failure(
      DeliveryServiceMethods.updateTask,
      TestFleet.taskUpdate("t1", "state") { $0.state = .open })
    #expect(error.code == .failedPrecondition)
    let failure = try error.status.details[0].unpack(PreconditionFailure.self)
    #expect(failure?.violations.map(\.type) == ["TASK_CLOSED"])
    #expect(failure?.violations.map(\.subject) == ["providers/p/tasks/t1"])
    // The outcome may follow.
    #expect(
      try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .failed }.taskOutcome
        == .failed)
  }

  @Test mutating func anOutcomeIsSetOnce() throws {
    try fleet.createTask("t1")
    let task = try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .succeeded }
    #expect(task.taskOutcomeTime == fleet.now)
    #expect(task.taskOutcomeLocation == nil)
    #expect(task.state == .open)
    fleet.advance(60)
    let same = try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .succeeded }
    #expect(same == task)
    for other in [DeliveryTask.TaskOutcome.failed, .unspecified] {
      let error = try fleet.failure(
        DeliveryServiceMethods.updateTask,
        TestFleet.taskUpdate("t1", "task_outcome") { $0.taskOutcome = other })
      #expect(error.code == .failedPrecondition)
      #expect(
        error.status.message == "providers/p/tasks/t1: already has the outcome SUCCEEDED")
    }
  }

  @Test mutating func theProviderSetsTheTimeAndPlaceOfAnOutcome() throws {
    try fleet.createTask("t1")
    let task = try fleet.updateTask(
      "t1", "task_outcome,task_outcome_time,task_outcome_location"
    ) {
      $0.taskOutcome = .succeeded
      $0.taskOutcomeTime = Self.second
      $0.taskOutcomeLocation = .at(1, 2)
    }
    #expect(task.taskOutcomeTime == Self.second)
    #expect(task.taskOutcomeLocation == .at(1, 2))
    #expect(task.taskOutcomeLocationSource == .provider)
  }

  @Test mutating func anOutcomeReplacesAnEarlierTime() throws {
    try fleet.createTask("t1")
    let early = try fleet.updateTask("t1", "task_outcome_time,task_outcome_location") {
      $0.taskOutcomeTime = Self.second
      $0.taskOutcomeLocation = .at(1, 2)
    }
    #expect(early.taskOutcomeTime == Self.second)
    let task = try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .succeeded }
    #expect(task.taskOutcomeTime == fleet.now)
    #expect(task.taskOutcomeLocation == .at(1, 2))
    // Unset fields of a mask do not remove what belongs to an outcome.
    #expect(try fleet.updateTask("t1", "task_outcome_time,task_outcome_location") { _ in } == task)
  }

  @Test mutating func anOutcomeHasTheRawLocationOfTheVehicle() throws {
    try fleet.createTask("t1")
    try fleet.createDeliveryVehicle("v1") {
      $0.lastLocation = DeliveryVehicleLocation(
        location: .equator(0.5), rawLocation: .equator(0.51))
    }
    try fleet.plan("v1", [.stop(1, "t1")])
    let task = try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .succeeded }
    #expect(task.taskOutcomeLocation == .at(0, 0.51))
    #expect(task.taskOutcomeLocationSource == .lastVehicleLocation)
    // A correction of the provider.
    let corrected = try fleet.updateTask("t1", "task_outcome_location") {
      $0.taskOutcomeLocation = .at(0, 1)
    }
    #expect(corrected.taskOutcomeLocationSource == .provider)
    #expect(corrected.taskOutcomeTime == task.taskOutcomeTime)
  }

  @Test mutating func anAssignedTaskIsNotDeletedOrClosed() throws {
    try fleet.createTask("t1")
    try fleet.createDeliveryVehicle("v1")
    try fleet.plan("v1", [.stop(1, "t1")])
    let deletion = DeleteTaskRequest(name: "providers/p/tasks/t1")
    #expect(
      try fleet.failure(DeliveryServiceMethods.deleteTask, deletion).status.message
        == "providers/p/tasks/t1: is OPEN and assigned to v1")
    let error = try fleet.failure(
      DeliveryServiceMethods.updateTask,
      TestFleet.taskUpdate("t1", "state") { $0.state = .closed })
    #expect(error.code == .failedPrecondition)
    try fleet.plan("v1", [])
    _ = try fleet.call(DeliveryServiceMethods.deleteTask, deletion)
    #expect(try fleet.failure(DeliveryServiceMethods.deleteTask, deletion).code == .notFound)
    let tracking = GetTaskTrackingInfoRequest(name: "providers/p/taskTrackingInfo/track-t1")
    #expect(
      try fleet.failure(DeliveryServiceMethods.getTaskTrackingInfo, tracking).code == .notFound)
  }

  // MARK: Lists

  @Test(arguments: [
    ("", ["t1", "t2", "t3"]), ("state = OPEN", ["t1", "t3"]), ("state = CLOSED", ["t2"]),
    ("delivery_vehicle_id = \"v1\"", ["t1", "t2"]),
    ("delivery_vehicle_id = v1 AND state = OPEN", ["t1"]), ("delivery_vehicle_id:*", ["t1", "t2"]),
    ("NOT delivery_vehicle_id:*", ["t3"]), ("task_outcome = SUCCEEDED", ["t2"]),
    ("task_outcome_location_source = LAST_VEHICLE_LOCATION", ["t2"]),
    ("task_outcome_time >= \"2027-01-15T08:00:00Z\"", ["t2"]),
    ("task_outcome_time < \"2027-01-15T08:00:00Z\"", []),
    ("tracking_id = track-t1 OR tracking_id = track-t3", ["t1", "t3"]), ("type = PICKUP", ["t3"]),
    ("attributes.floor = \"2\"", ["t3"]), ("attributes.floor != 2", ["t1", "t2"]),
  ])
  mutating func listsFilter(_ filter: String, _ ids: [String]) throws {
    try fleet.createTask("t1")
    try fleet.createTask("t2")
    try fleet.createTask("t3") {
      $0.type = .pickup
      $0.attributes = [TaskAttribute(key: "floor", taskAttributeValue: .numberValue(2))]
    }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1"), .stop(2, "t2")])
    try fleet.updateTask("t2", "task_outcome") { $0.taskOutcome = .succeeded }
    try fleet.plan("v1", [.stop(1, "t1")])
    let response = try fleet.call(
      DeliveryServiceMethods.listTasks, ListTasksRequest(parent: "providers/p", filter: filter))
    #expect(response.tasks.map(\.name) == ids.map { "providers/p/tasks/\($0)" })
    #expect(response.totalSize == Int64(ids.count))
    #expect(response.tasks.allSatisfy { ($0.journeySharingInfo != nil) == $0.name.hasSuffix("t1") })
  }

  @Test(arguments: ["planned_location = x", "state > OPEN", "state", "task_outcome_time > now"])
  mutating func listsNameAnInvalidFilter(_ filter: String) throws {
    let error = try fleet.failure(
      DeliveryServiceMethods.listTasks, ListTasksRequest(parent: "providers/p", filter: filter))
    #expect(error.fields == ["filter"])
  }

  @Test mutating func listsHavePages() throws {
    for number in 0..<5 { try fleet.createTask("t\(number)") }
    var request = ListTasksRequest(parent: "providers/p", pageSize: 3)
    let first = try fleet.call(DeliveryServiceMethods.listTasks, request)
    #expect(first.tasks.count == 3)
    #expect(first.totalSize == 5)
    request.pageToken = first.nextPageToken
    let second = try fleet.call(DeliveryServiceMethods.listTasks, request)
    #expect(second.tasks.map(\.name) == ["providers/p/tasks/t3", "providers/p/tasks/t4"])
    #expect(second.nextPageToken == "")
    request.filter = "state = OPEN"
    #expect(
      try fleet.failure(DeliveryServiceMethods.listTasks, request).fields == ["page_token"])
  }

  @Test mutating func unknownNamesAreReported() throws {
    let missing = try fleet.failure(
      DeliveryServiceMethods.getTask, GetTaskRequest(name: "providers/p/tasks/t9"))
    #expect(missing.code == .notFound)
    let wrong = try fleet.failure(
      DeliveryServiceMethods.getTask, GetTaskRequest(name: "providers/p/trips/t9"))
    #expect(wrong.fields == ["name"])
    let update = try fleet.failure(
      DeliveryServiceMethods.updateTask,
      UpdateTaskRequest(task: DeliveryTask(name: "t9"), updateMask: FieldMask("state")))
    #expect(update.fields == ["task.name"])
  }
}

extension DeliveryTaskTrackingViewConfig.VisibilityOption {
  static func of(_ option: VisibilityOption) -> Self { Self(visibilityOption: option) }
}
