import Testing

@testable import WireIO

@Suite struct JobQueueTests {
  var queue = JobQueue<Int>()

  mutating func taken() -> [Int] {
    var jobs: [Int] = []
    queue.take(&jobs)
    return jobs
  }

  @Test mutating func runningLoopIsNotWoken() {
    #expect(queue.append(1) == .nothing)
    #expect(queue.append(2) == .nothing)
    #expect(taken() == [1, 2])
    #expect(queue.append(3) == .nothing)
    #expect(taken() == [3])
    #expect(taken() == [])
  }

  @Test mutating func oneWakeupServesAllJobs() {
    #expect(queue.prepareToWait(-1) == -1)
    #expect(queue.append(1) == .wake)
    #expect(queue.append(2) == .nothing)
    queue.wakeUp()
    #expect(queue.append(3) == .nothing)
    #expect(taken() == [1, 2, 3])
  }

  @Test mutating func loopDoesNotSleepWithAJob() {
    _ = queue.append(1)
    #expect(queue.prepareToWait(-1) == 0)
    #expect(queue.append(2) == .nothing)
  }

  @Test mutating func loopThatOnlyPollsIsNotWoken() {
    #expect(queue.prepareToWait(0) == 0)
    #expect(queue.append(1) == .nothing)
  }

  @Test mutating func stopWakesASleepingLoopOnce() {
    #expect(queue.prepareToWait(10) == 10)
    #expect(queue.stop() == .wake)
    #expect(queue.stop() == .nothing)
    queue.wakeUp()
    #expect(queue.prepareToWait(10) == nil)
  }

  @Test mutating func lateJobsGetOneThreadAtATime() {
    #expect(queue.finish() == .nothing)
    #expect(queue.append(1) == .runLateJobs)
    #expect(queue.append(2) == .nothing)
    #expect(queue.finishLateJobs() == false)
    #expect(taken() == [1, 2])
    #expect(queue.finishLateJobs() == true)
    #expect(queue.append(3) == .runLateJobs)
  }

  @Test mutating func jobsLeftAtTheEndAreLate() {
    _ = queue.append(1)
    #expect(queue.finish() == .runLateJobs)
    #expect(queue.append(2) == .nothing)
    #expect(taken() == [1, 2])
    #expect(queue.finishLateJobs() == true)
  }
}
