package import WireGRPC
package import WireHTTP2
package import WireIO
package import WireTLS
package import WireTransport

/// Connects to one address after the other with the parts of a channel, and reports each step.
package actor ConnectionProbe {
  package enum Step: Sendable {
    case tcp, proxy, tls, http2
  }

  package struct Report: Sendable {
    /// The steps that succeeded, with their times.
    package var done: [(step: Step, time: Duration)] = []
    /// The step that failed or was canceled, with its time; nil without a failure.
    package var failed: (step: Step, time: Duration, failure: ConnectionFailure)?
    package var tls: (version: String, cipher: String, alpn: String)?
    /// The certificates of the server, even if they were rejected.
    package var certificates: [Certificate] = []
    package var settings: HTTP2Settings?
  }

  private let context: ConnectionContext
  private let timeout: Duration
  private var steps: [Step] = []
  private var report = Report()
  private var last = ContinuousClock.now
  private var connection: Connection?
  /// Set when the present connection is ready or has failed, or its task is canceled.
  private var over = FirstResult<Void>()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.loop.asUnownedSerialExecutor()
  }

  /// The configuration must have a loop, which outlives the probe.
  ///
  /// - Parameters:
  ///   - target: as for a channel.
  ///   - configuration: its `connectTimeout` limits each step.
  /// - Throws: a failure with the reason `configuration`.
  package init(
    target: String, _ configuration: ChannelConfiguration
  ) throws(ConnectionFailure) {
    var configuration = configuration
    if case .tls(var tls) = configuration.security {
      tls.keepsPeerChain = true
      configuration.security = .tls(tls)
    }
    context = try ConnectionContext(Target(target), configuration)
    timeout = context.connectTimeout
  }

  package nonisolated var proxy: Proxy? { context.proxy }

  package nonisolated var usesTLS: Bool { context.tls != nil }

  /// The host that is resolved and dialed; nil for a target of addresses.
  package nonisolated var host: String? {
    if case .host(let host, _) = context.dialedEndpoint { host } else { nil }
  }

  package func addresses() async throws(ConnectionFailure) -> [SocketAddress] {
    switch context.dialedEndpoint {
    case .addresses(let addresses):
      return addresses
    case .host(let host, let port):
      let resolve = context.resolve
      let task = Task(executorPreference: context.loop.taskExecutor) {
        () async -> Result<[SocketAddress], ResolverError> in
        do throws(ResolverError) {
          return .success(try await resolve(host, port))
        } catch {
          return .failure(error)
        }
      }
      let timer = context.loop.schedule(after: timeout) { task.cancel() }
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      timer.cancel()
      do throws(ResolverError) {
        return try result.get()
      } catch {
        throw ConnectionFailure(
          resolving: error, at: context.peer(), context.proxy, limit: timeout)
      }
    }
  }

  /// Connects to an address, and closes the connection when it is ready, or after the first step.
  package func connect(to address: SocketAddress, onlyTCP: Bool = false) async -> Report {
    steps = [.tcp]
    if !onlyTCP {
      if proxy != nil { steps.append(.proxy) }
      steps += usesTLS ? [.tls, .http2] : [.http2]
    }
    report = Report()
    let over = FirstResult<Void>()
    self.over = over
    last = .now
    do throws(ConnectionFailure) {
      connection = try Connection(to: address, context: context, deadline: last + timeout) {
        self.handle($1)
      }
    } catch {
      end(error)
    }
    await withTaskCancellationHandler {
      await over.wait()
    } onCancel: {
      over.end(())
    }
    if !steps.isEmpty, report.failed == nil { end(failure("canceled")) }
    connection?.handler = { _, _ in }
    if steps.isEmpty { connection?.leave() }
    connection?.abort(.transport(.unavailable, "the check is over"))
    connection = nil
    report.certificates = context.tls?.peerChain ?? []
    return report
  }

  private func handle(_ event: Connection.Event) {
    switch (event, steps.first) {
    case (.reached(.connected), .tcp), (.reached(.tunneled), .proxy), (.ready, .http2):
      stepSucceeded()
    case (.reached(.secured(let session)), .tls):
      report.tls = (session.version, session.cipher, session.applicationProtocol ?? "")
      stepSucceeded()
    case (.closed(let failure), _):
      end(failure ?? self.failure("the server closed the connection"))
    default:
      break
    }
  }

  /// Notes the end of a step. The next one has the whole timeout.
  private func stepSucceeded() {
    let now = ContinuousClock.now
    report.done.append((steps.removeFirst(), now - last))
    last = now
    if steps.isEmpty {
      report.settings = connection?.remoteSettings
      over.end(())
    } else {
      connection?.setConnectDeadline(last + timeout)
    }
  }

  private func failure(_ detail: String) -> ConnectionFailure {
    ConnectionFailure(reason: .closed, peer: context.peer(), detail: detail)
  }

  private func end(_ failure: ConnectionFailure) {
    guard let step = steps.first else { return }
    report.failed = (step, .now - last, failure)
    over.end(())
  }
}
