import WireSystem

/// An open page, which receives updates on a thread of its own until the server ends.
public final class OpenPage: Sendable {
  /// The events in their order.
  public let events: AsyncStream<PageClient.Event>

  /// - Parameter root: the path of the page: "/", or with a key.
  public init(port: UInt16, root: String = "/") throws {
    let (events, continuation) = AsyncStream.makeStream(of: PageClient.Event.self)
    self.events = events
    try Thread(for: "an open page") {
      defer { continuation.finish() }
      guard let client = try? PageClient(port: port),
        let response = try? client.get(root + "events"), response.status == 200
      else { return }
      while let event = try? client.nextEvent() { continuation.yield(event) }
    }.detach()
  }

  /// Waits for an event whose data has a text, and returns the data of all events since the last
  /// call; nil if the stream ends before.
  public func data(with text: String) async -> String? {
    var all = ""
    for await event in events {
      all += event.data ?? ""
      if event.data?.contains(text) == true { return all }
    }
    return nil
  }
}
