package import WireGRPCClient
import WireProtobuf

extension Server {
  package func channel() throws(ErrorReport) -> Channel {
    try mapError(Channel(target: endpoint, configuration: configuration)) { (error: CallError) in
      ErrorReport(error, hint(about: .reflection))
    }
  }
}
