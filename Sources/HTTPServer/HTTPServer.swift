import WireIO
import WireProtobuf
import WireSystem

/// An HTTP/1.1 server on a port of this machine, for the page that shows resources on a map and for metrics.
///
/// It serves a few files, and sends the newest frame of each resource to all open pages as server-sent
/// events. It runs on its own thread. All methods may be called from any thread. They return at once,
/// except `finish` and `stop`.
package final class HTTPServer: Sendable {
  /// The address of the page: `http://127.0.0.1:41234/`, with the key if there is one. For a
  /// wildcard address it has the first of `hostNames`, or `localhost`.
  package let url: String
  /// The port, which the system chose if the options say 0.
  let port: UInt16

  private let updates: UpdateQueue
  private let thread: Locked<Thread?>

  /// Starts to serve. Raises the soft limit of open files of the process, because each page needs
  /// one.
  package init(_ options: HTTPServerOptions) throws(HTTPServerError) {
    let policy = try RequestPolicy.checked(options)
    let socket = try mapError(Listener(on: policy.address, backlog: 1024)) { (error: IOError) in
      HTTPServerError.cannotListen("\(policy.address)", error.code)
    }
    port = socket.localAddress.port ?? 0
    url = policy.url(socket.localAddress)
    do throws(IOError) {
      updates = try UpdateQueue()
    } catch {
      throw .system(error)
    }
    let loop = try ServerLoop(
      options, router: Router(policy: policy, port: port), socket: socket, updates: updates)
    let handover = Locked<ServerLoop?>(loop)
    do throws(IOError) {
      thread = Locked(
        try Thread(for: "the HTTP server") { handover.withLock { $0.take() }?.run() })
    } catch {
      throw .system(error)
    }
  }

  deinit {
    stop()
  }

  /// The number of pages that receive updates at present.
  package var connectedPages: Int { updates.connectedPages }

  /// Sends the frame of a resource to all pages, now or as soon as they have read the previous one. It
  /// replaces the resource's older frame, which slow pages never see.
  ///
  /// - Parameters:
  ///   - name: the name of the resource.
  ///   - frame: a JSON value. Line breaks in it become spaces.
  package func publish(_ name: String, _ frame: [UInt8]) {
    updates.update(name, frame)
  }

  /// Removes a resource: later pages do not receive its frame. Open pages keep it.
  package func remove(_ name: String) {
    updates.update(name, nil)
  }

  /// Notifies all open and later pages that there are no more frames, after their newest frames.
  func end() {
    updates.end()
  }

  /// The maximum number of waits in `finish`, each of 10 ms.
  private static let finishSteps = 30

  /// Notifies the pages that there are no more frames, waits up to 300 ms until they have received it, and
  /// stops.
  package func finish() {
    end()
    for _ in 0..<Self.finishSteps where connectedPages > 0 { poll(nil, 0, 10) }
    stop()
  }

  /// Closes all connections and the port, and waits for the thread. Further calls do nothing.
  package func stop() {
    updates.stop()
    guard let thread = thread.withLock({ $0.take() }) else { return }
    // A callback of the options may hold the last reference.
    if Thread.current == updates.threadID { thread.detach() } else { thread.join() }
  }
}
