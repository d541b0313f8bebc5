import ProtobufDescriptors

extension FileDescriptorProto {
  /// Returns the path of a message, enum or service in the file (google.protobuf.SourceCodeInfo).
  func path(of fullName: String) -> [Int32] {
    let package = self.package ?? ""
    let names = fullName.dropFirst(package.isEmpty ? 0 : package.utf8.count + 1)
      .split(separator: ".").map(String.init)
    guard let first = names.first else { return [] }
    if let index = service.firstIndex(where: { $0.name == first }) { return [6, Int32(index)] }
    var path: [Int32] = []
    var messages = messageType
    var enums = enumType
    var (messageNumber, enumNumber): (Int32, Int32) = (4, 5)
    for name in names {
      if let index = messages.firstIndex(where: { $0.name == name }) {
        path += [messageNumber, Int32(index)]
        enums = messages[index].enumType
        messages = messages[index].nestedType
        (messageNumber, enumNumber) = (3, 4)
      } else if let index = enums.firstIndex(where: { $0.name == name }) {
        return path + [enumNumber, Int32(index)]
      }
    }
    return path
  }
}
