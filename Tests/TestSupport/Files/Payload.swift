import WireSystem

/// The files of Tests/Payloads, which other implementations generated.
public enum Payload {
  public static func bytes(_ name: String) throws(MissingFile) -> [UInt8] {
    try contents("Tests/Payloads/" + name)
  }

  /// A file by its path in the repository.
  public static func contents(_ path: String) throws(MissingFile) -> [UInt8] {
    let path = repositoryPath(path)
    guard let file = fopen(path, "r") else { throw MissingFile(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  public struct MissingFile: Error {
    let path: String
  }

  /// The words of each line of a text file.
  public static func words(_ name: String) throws(MissingFile) -> [[String]] {
    String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }
}
