/// Returns the absolute path of a file of this repository, given by its path from the root.
public func repositoryPath(_ path: String) -> String {
  // The root is four levels above: Tests/TestSupport/Files/RepositoryPath.swift.
  #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/" + path
}
