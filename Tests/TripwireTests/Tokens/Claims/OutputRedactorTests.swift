import Testing

@testable import Tripwire

@Suite struct OutputRedactorTests {
  @Test(arguments: [
    ("eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl", "***"),
    ("got ya29.a0AfB-yC3x9QwErTy_uIoP0987, which was refused", "got *** which was refused"),
    ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj", "***"),
    ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "***"),
    ("id d41d8cd98f00b204e9800998ecf8427e is wrong", "id *** is wrong"),
    ("AKIAIOSFODNN7EXAMPLE", "***"), ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "***"),
    ("Authorization: x", "Authorization:***"), ("bearer x", "bearer ***"),
    ("Basic x", "Basic ***"),
    ("-----BEGIN PRIVATE KEY-----\nshort\nend", "-----BEGIN PRIVATE KEY*** | short | end"),
    ("Password: x y", "Password:***"), ("password:\n\nhunter2\nwrong", "password: | *** | wrong"),
    ("curl: token=x", "curl: token=***"), (#"{"access_token": "x"}"#, #"{"access_token":***"#),
    ("{'key': 'x'}", "{'key':***"), ("api_key=x", "api_key=***"),
    ("+ echo x", "+ ***"), ("  ++ vault read x\nno", "+ *** | no"),
    ("cannot GET https://me:hush@vault/x", "cannot GET ***"),
  ])
  func credentialsAreMasked(text: String, shown: String) {
    #expect(OutputRedactor.masked(text) == shown)
  }

  @Test func longTextKeepsItsEnd() {
    let text = OutputRedactor.masked("begin\n" + String(repeating: "no ", count: 300) + "\nend\n")
    #expect(text.count == 501)
    #expect(text.hasPrefix("…") && text.hasSuffix("no no | end"))
  }

  @Test(arguments: [
    "", "no such account", "sh: 1: gcloud: not found",
    "ERROR: (gcloud.auth.print-access-token) You do not currently have an active account selected.",
    "Error reading secret/data/fleet: permission denied",
    "/home/somebody/.config/gcloud/application_default_credentials.json: No such file",
    "backend@my-project-12.iam.gserviceaccount.com: PERMISSION_DENIED",
    "dial tcp 127.0.0.1:8200: connect: connection refused", "your token has expired: log in again",
    "2026-11-21T10:30:00Z project 123456789012 of europe-northeast10",
    "com.example.ApplicationDefaultCredentialsError: sha256", "Schlüssel fehlt",
  ])
  func ordinaryTextIsUnchanged(line: String) {
    #expect(OutputRedactor.masked(line) == line)
  }
}
