/// Returns the absolute path of a file of this repository, given its path from the root.
public func repositoryPath(_ path: String) -> String {
  #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/" + path
}
