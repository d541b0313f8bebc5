// The context of the samples of TalkingToAnyService.md and WireGRPCClient.md.

import Tripwire

@MainActor func callNotes() async throws {
  // sample TalkingToAnyService
  func plaintext() throws {
    // sample TalkingToAnyService
  }
  // sample TalkingToAnyService
  // sample TalkingToAnyService
  // sample TalkingToAnyService
  do {
    // sample TalkingToAnyService
  }
  do {
    // sample TalkingToAnyService
  }
  // sample TalkingToAnyService
}

@MainActor func cancelSearch() async throws {
  let notes = Notes_V1_NotesClient(try Channel(target: "notes.example.com"))
  // sample TalkingToAnyService
}

@MainActor func metadata() async throws {
  let notes = Notes_V1_NotesClient(try Channel(target: "notes.example.com"))
  let response = try await notes.get(Notes_V1_GetRequest(id: "n1"))
  // sample TalkingToAnyService
  // sample TalkingToAnyService
}

@MainActor func missingNote() async throws {
  let notes = Notes_V1_NotesClient(try Channel(target: "notes.example.com"))
  // sample TalkingToAnyService
}

@MainActor func configure() async throws {
  // sample TalkingToAnyService
  // sample TalkingToAnyService
  // sample TalkingToAnyService
  // sample TalkingToAnyService
  let channel = try Channel(target: "notes.example.com", configuration: configuration)
  _ = try await Notes_V1_NotesClient(channel).get(Notes_V1_GetRequest(id: "n1"))
  // sample TalkingToAnyService
  // sample TalkingToAnyService
}

func callWithoutClient() async throws {
  let method = Notes_V1_NotesMethods.get
  let request = Notes_V1_GetRequest(id: "n1")
  // sample WireGRPCClient
}
