import CommandShell
import DynamicProtobuf
import Tripwire

extension Invocation {
  /// The response of one call as JSON, which the call sets at its end.
  private typealias Answer = FirstResult<Result<String, ErrorReport>>

  /// Calls the method once for each request, with up to --parallel calls at a time, and writes the responses in
  /// the order of the requests.
  ///
  /// - Returns: the exit code of the first failed call with --keep-going.
  func unary(_ requests: Requests) async throws(ErrorReport) -> ExitCode {
    if options.data.allSatisfy(\.isText) {
      // The command line has all requests, which are checked before the first call.
      var requests = requests
      while try await next(&requests) != nil {}
    }
    let (answers, sink) = AsyncStream<Answer>.makeStream()
    // Each answer has a slot from before its request is read until it is written.
    let slots = AsyncSemaphore(options.parallel ?? 1)
    let calls = Task {
      await withDiscardingTaskGroup { group in
        await start(requests, slots, in: &group) { sink.yield($0) }
      }
      sink.finish()
    }
    let result = await withTaskCancellationHandler {
      await write(answers, slots)
    } onCancel: {
      calls.cancel()
    }
    if case .failure = result { calls.cancel() }
    await calls.value
    return try result.get()
  }

  private func write(
    _ answers: AsyncStream<Answer>, _ slots: AsyncSemaphore
  ) async -> Result<ExitCode, ErrorReport> {
    var code = ExitCode.success
    for await answer in answers {
      do throws(ErrorReport) {
        try write(try await answer.wait().get())
      } catch {
        if code == .success { code = error.exitCode }
        guard options.keepsGoing, error.request != nil else {
          var error = error
          // An error after the failure of a call does not hide it.
          if !error.isSilent { error.exitCode = code }
          return .failure(error)
        }
        _ = console.report(error, as: options.server.output.errorFormat)
      }
      slots.signal()
    }
    return .success(code)
  }

  /// Reads the requests, and starts a call for each as soon as it has a slot.
  private func start(
    _ requests: Requests, _ slots: AsyncSemaphore, in group: inout DiscardingTaskGroup,
    yield: (Answer) -> Void
  ) async {
    var requests = requests
    var isFirst = true
    while (try? await slots.wait()) != nil, !Task.isCancelled {
      let answer = Answer()
      var number: Int?
      do throws(ErrorReport) {
        let value = try await requests.nextValue()
        // Without JSON there is one, empty request.
        if value == nil, !isFirst || Task.isCancelled { return }
        isFirst = false
        number = requests.number ?? (options.keepsGoing ? 1 : nil)
        let request =
          if let value { try requests.request(value) } else { try await requests.only() }
        let isOnly = !requests.areSeveral
        group.addTask { [number] in
          do throws(ErrorReport) {
            answer.end(.success(try await self.answer(to: request, isOnly: isOnly)))
          } catch {
            answer.end(.failure(error.ofRequest(number)))
          }
        }
      } catch {
        answer.end(.failure(error.ofRequest(number)))
      }
      yield(answer)
    }
  }
}

extension ErrorReport {
  /// - Parameter number: from 1; nil if the command has only one.
  func ofRequest(_ number: Int?) -> ErrorReport {
    var report = self
    report.request = number
    return report
  }
}

extension ServiceDescriptor.Method {
  /// "streams requests" or "streams responses"; nil for a unary method.
  package var streams: String? {
    streamsRequests ? "streams requests" : streamsResponses ? "streams responses" : nil
  }
}
