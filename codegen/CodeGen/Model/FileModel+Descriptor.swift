import ProtobufDescriptors

// Makes the model from descriptors: decides names, resolves types, finds comments.

extension FileModel {
  init(
    _ file: FileDescriptorProto, types: TypeIndex, config: ServiceConfig, registry: String
  ) throws(GenerationError) {
    let builder = ModelBuilder(file: file, types: types, config: config)
    protoPath = file.name ?? ""
    importedFolders = Set(
      file.dependency.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    self.registry = registry
    docs = builder.comments.lines(at: [12])
    let scope = builder.packageScope
    enums = file.enumType.enumerated().map { index, `enum` in
      builder.enum(`enum`, in: scope, at: [5, Int32(index)])
    }
    var messages: [MessageModel] = []
    for (index, message) in file.messageType.enumerated() {
      messages.append(try builder.message(message, in: scope, at: [4, Int32(index)]))
    }
    self.messages = messages
    var services: [ServiceModel] = []
    for (index, service) in file.service.enumerated() {
      services.append(try builder.service(service, at: [6, Int32(index)]))
    }
    self.services = services
  }
}

/// Builds the parts of one file's model. Paths are those of SourceCodeInfo.
struct ModelBuilder {
  let file: FileDescriptorProto
  let types: TypeIndex
  let config: ServiceConfig
  let comments: Comments

  init(file: FileDescriptorProto, types: TypeIndex, config: ServiceConfig) {
    self.file = file
    self.types = types
    self.config = config
    self.comments = Comments(file)
  }

  /// The prefix of the names of top-level types: ".maps.fleetengine.v1".
  var packageScope: String {
    file.package.map { $0.isEmpty ? "" : "." + $0 } ?? ""
  }

  func docs(at path: [Int32], isDeprecated: Bool?) -> [String] {
    let lines = comments.lines(at: path)
    guard isDeprecated == true else { return lines }
    return lines + (lines.isEmpty ? [] : [""]) + ["Deprecated."]
  }

  // MARK: Enums

  func `enum`(_ descriptor: EnumDescriptorProto, in scope: String, at path: [Int32]) -> EnumModel {
    let fullName = scope + "." + (descriptor.name ?? "")
    let names = EnumCaseNames.names(
      of: descriptor.value.map { ($0.name ?? "", Int($0.number ?? 0)) }, in: descriptor.name ?? "")
    var values: [EnumModel.Value] = []
    var aliases: [EnumModel.Value] = []
    var numbers: Set<Int32> = []
    for (index, value) in descriptor.value.enumerated() {
      let model = EnumModel.Value(
        name: names[index], protoName: value.name ?? "", number: value.number ?? 0,
        docs: docs(at: path + [2, Int32(index)], isDeprecated: value.options?.deprecated))
      if numbers.insert(model.number).inserted {
        values.append(model)
      } else {
        aliases.append(model)
      }
    }
    let swiftName = types.enums[fullName]?.swiftName ?? ""
    return EnumModel(
      name: lastComponent(swiftName), qualifiedName: swiftName,
      fullName: String(fullName.dropFirst()),
      docs: docs(at: path, isDeprecated: descriptor.options?.deprecated), values: values,
      aliases: aliases)
  }

  func lastComponent(_ swiftName: String) -> String {
    swiftName.split(separator: ".").last.map(String.init) ?? ""
  }
}
