import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// The last state of a trip in the stream.
struct LastState: Sendable {
  let state: TripState
  let message: UInt64
  /// When NATS stored it, in seconds since 1970, by the server's clock.
  let time: Double

  /// When Fleet Engine confirmed the trip, by the server's clock.
  var confirmed: Double {
    guard let poll = state.pollTime?.secondsSince1970, let refresh = state.refreshTime else {
      return time
    }
    return time - max(0, poll - refresh.secondsSince1970)
  }

  var isOver: Bool { state.trip?.tripStatus.isFinal == true }
}

extension RelayWorker {
  private static let pauseAfterFailure = Duration.seconds(5)

  // MARK: Load

  /// Reads the last state of a trip, and then polls.
  func load(_ trip: SharedTrip) {
    guard !trip.isLoading else { return }
    trip.phase = .loading
    trip.isLoading = true
    Task {
      do throws(NATSError) {
        let last = try await lastState(of: trip)
        trip.isLoading = false
        guard isCurrent(trip) else { return }
        adopt(last, for: trip)
        if last?.isOver == true {
          end(trip)
        } else {
          startPolling(trip, last)
        }
      } catch {
        trip.isLoading = false
        trip.retry = .now + .seconds(1)
        if error.kind != .disconnected { show(error) }
      }
    }
  }

  private func lastState(of trip: SharedTrip) async throws(NATSError) -> LastState? {
    guard
      let last = try await stream.last(
        RelayNames.tripSubject(trip.key), in: RelayNames.tripStream)
    else { return nil }
    // A message that is not a state is replaced by the next one.
    let state = (try? TripState(serializedBytes: last.message.data)) ?? TripState()
    return LastState(state: state, message: last.sequence, time: last.time)
  }

  private func adopt(_ last: LastState?, for trip: SharedTrip) {
    trip.lastMessage = last?.message ?? 0
    trip.isUncertain = false
    if let last {
      trip.sequence = max(trip.sequence, last.state.sequence)
      trip.published = last.state.trip
      trip.publishedAt = clock.instant(of: last.time)
    }
  }

  // MARK: Publish

  /// Publishes the present state of a trip, unless a message is on its way.
  func publish(_ trip: SharedTrip) {
    guard trip.needsPublishing, !trip.isPublishing, trip.model != nil, client.isConnected,
      trip.retry.map({ $0 <= .now }) ?? true
    else { return }
    if trip.isUncertain { return resolve(trip) }
    guard let streamTime = presentStream.time,
      let state = trip.state(worker: name, streamTime: streamTime, options)
    else { return }
    trip.retry = nil
    trip.needsPublishing = false
    trip.isPublishing = true
    let refreshed = trip.model?.refreshed
    let previous = trip.lastMessage
    Task {
      do throws(NATSError) {
        let message = try await stream.publish(
          RelayNames.tripSubject(trip.key), state.serializedBytes(), after: previous)
        trip.isPublishing = false
        published += 1
        trip.lastMessage = message
        trip.sequence = state.sequence
        trip.published = state.trip
        trip.publishedAt = .now
        trip.publishedRefresh = refreshed
        guard isCurrent(trip) else { return }
        if state.trip?.tripStatus.isFinal == true { return end(trip) }
        publish(trip)
      } catch {
        trip.isPublishing = false
        trip.needsPublishing = true
        if isCurrent(trip) { failed(trip, error) }
      }
    }
  }

  private func failed(_ trip: SharedTrip, _ error: NATSError) {
    if error.kind != .wrongLastSequence { metrics.countPublishFailure() }
    switch error.kind {
    case .wrongLastSequence:
      resolve(trip)
    case .noStream:
      presentStream.forget()
      trip.retry = .now + .seconds(1)
      show(error)
    case .disconnected, .timeout:
      trip.isUncertain = true
      if error.kind == .timeout { show(error) }
    case .tooLarge where trip.oversize == nil:
      trip.oversize = error
      show(
        NATSError(
          .tooLarge, "\(trip.name) cannot be published: \(error.message)", hint: error.hint))
      publish(trip)
      // The next poll may return a smaller trip.
      trip.oversize = nil
    default:
      trip.retry = .now + Self.pauseAfterFailure
      show(error)
    }
  }

  /// Finds out who published the last message: this worker continues, or yields to another one.
  private func resolve(_ trip: SharedTrip) {
    trip.isPublishing = true
    Task {
      do throws(NATSError) {
        let last = try await lastState(of: trip)
        trip.isPublishing = false
        guard isCurrent(trip), trip.model != nil else { return }
        let isOwn = last == nil || last?.state.worker == name || last?.message == trip.lastMessage
        if let last, !isOwn {
          adopt(last, for: trip)
          trip.stop(.yielding(until: .now + max(options.trip.refreshInterval, .seconds(1))))
          if last.isOver { end(trip) }
          return
        }
        if last == nil, trip.lastMessage != 0 { presentStream.forget() }
        adopt(last, for: trip)
        trip.needsPublishing = true
        publish(trip)
      } catch {
        trip.isPublishing = false
        trip.isUncertain = true
        trip.retry = .now + .seconds(1)
      }
    }
  }
}
