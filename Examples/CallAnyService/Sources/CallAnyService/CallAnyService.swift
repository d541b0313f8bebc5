// Calls the service notes.v1.Notes, which notes.proto describes.
//
//     CallAnyService HOST:PORT

import WireGRPCClient

@main struct CallAnyService {
  static func main() async {
    do { try await call() } catch { print("error:", error) }
  }

  static func call() async throws {
    guard let target = CommandLine.arguments.dropFirst().first else {
      print("usage: CallAnyService HOST:PORT")
      return
    }
    let channel = try Channel(
      target: target, configuration: ChannelConfiguration(security: .plaintext))
    let notes = Notes_V1_NotesClient(channel)

    do {
      try await search("tea", in: notes)
      try await show("n1", of: notes)
      try await show("n9", of: notes)
    } catch {
      switch (error.code, error.kind) {
      case (.notFound, _): print("no such note:", error.message)
      case _ where error.connectionFailure?.isTransient == false: print("check the setup:", error)
      case (_, .serverOrNetwork): print("retrying may help:", error)
      case (_, .client): print("retrying will not help:", error)
      }
    }
    await channel.close(grace: .seconds(5))
  }

  /// Prints one note: a unary call with a deadline.
  static func show(
    _ id: String, of notes: Notes_V1_NotesClient
  ) async throws(CallError) {
    let options = CallOptions(timeout: .seconds(5))
    let response = try await notes.get(Notes_V1_GetRequest(id: id), options: options)
    print("note:", response.message.text)
  }

  /// Prints notes as they arrive: a server-streaming call.
  static func search(
    _ word: String, in notes: Notes_V1_NotesClient
  ) async throws(CallError) {
    for try await note in notes.search(Notes_V1_SearchRequest(word: word)) {
      print("found:", note.id, note.text)
    }
  }
}
