import Testing
import WireSystem

@testable import WireIO
@testable import WireSystem

@Suite struct ListenerTests {
  @Test func reportsItsPort() throws {
    let listener = try Listener(on: SocketTests.freshAddress("127.0.0.1"))
    #expect(listener.localAddress.port != 0)
    #expect(listener.localAddress.host == "127.0.0.1")
    #expect(try listener.accept() == nil)
  }

  @Test func addressInUseIsNamed() throws {
    let first = try Listener(on: SocketTests.freshAddress("127.0.0.1"))
    let address = first.localAddress
    #expect(throws: IOError(code: .addressInUse, operation: "listen on \(address)")) {
      try Listener(on: address)
    }
  }

  @Test func portCanBeReusedAtOnce() throws {
    let (client, server, listener) = try SocketTests.pair("127.0.0.1")
    let address = listener.localAddress
    // The server closes first, so the port is left in TIME_WAIT.
    server.close()
    client.close()
    listener.close()
    _ = try Listener(on: address)
  }

  @Test func removesTheFileOfAUnixSocket() throws {
    let address = try SocketTests.freshAddress("unix")
    let path = try #require(address.unixPath)
    let listener = try Listener(on: address)
    #expect(access(path, F_OK) == 0)
    listener.close()
    listener.close()
    #expect(access(path, F_OK) == -1)
  }

  @Test func disconnectedPeersAreSkipped() throws {
    let listener = try Listener(on: SocketTests.freshAddress("127.0.0.1"))
    let gone = try Socket(connectingTo: listener.localAddress)
    SocketTests.wait(gone.fileDescriptor, POLLOUT)
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      gone.fileDescriptor, SOL_SOCKET, SO_LINGER, &linger,
      socklen_t(MemoryLayout.size(ofValue: linger)))
    gone.close()
    let client = try Socket(connectingTo: listener.localAddress)
    SocketTests.wait(client.fileDescriptor, POLLOUT)
    let server = try #require(try listener.accept())
    #expect(try server.remoteAddress == client.localAddress())
  }
}
