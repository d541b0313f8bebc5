import ProtobufDescriptors

// Whole files.

extension ProtoText {
  mutating func printFile() {
    statement(syntax.statement, at: [12])
    if let package = file.package, !package.isEmpty {
      line("")
      statement("package \(package);", at: [2])
    }
    printImports()
    let options = optionTexts(file.options, "google.protobuf.FileOptions")
    if !options.isEmpty { line("") }
    for option in options { line("option \(option);") }
    let types = NestedTypes(file.messageType, in: file.package ?? "", at: [4])
    let order = DeclarationOrder(fields: [], file.extension, types)
    for declaration in order.declarations {
      line("")
      print(declaration, fields: [], messages: file.messageType, file.extension, types, at: [])
    }
    for (index, type) in file.enumType.enumerated() {
      line("")
      print(type, at: [5, Int32(index)])
    }
    for (index, service) in file.service.enumerated() {
      line("")
      print(service, at: [6, Int32(index)])
    }
  }

  /// Imports of files that the pool lacks are omitted: nothing in them is used.
  private mutating func printImports() {
    let optionImports = file.optionImports.filter(pool.hasFile)
    if file.dependency.contains(where: pool.hasFile) || !optionImports.isEmpty { line("") }
    for (index, name) in file.dependency.enumerated() where pool.hasFile(name) {
      let index = Int32(index)
      let keyword =
        file.publicDependency.contains(index)
        ? "public " : file.weakDependency.contains(index) ? "weak " : ""
      statement("import \(keyword)\(quotedForProto(name));", at: [3, index])
    }
    for name in optionImports { line("import option \(quotedForProto(name));") }
  }
}
