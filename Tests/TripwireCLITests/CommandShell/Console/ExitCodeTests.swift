import Testing

@testable import CommandShell

@Suite struct ExitCodeTests {
  @Test(arguments: [(1, 65), (5, 69), (4, 68), (14, 78), (16, 80), (0, 66), (17, 66), (-1, 66)])
  func adds64ToTheCode(code: Int, exit: Int32) {
    #expect(ExitCode.call(code).rawValue == exit)
  }
}
