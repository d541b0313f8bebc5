/// Returns a path for a shell, in quotes if it has characters with a meaning.
package func shellWord(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || $0.properties.numericType != nil
      || "/._-+:@%,=".unicodeScalars.contains($0)
  }
  return isPlain ? path : "\"\(escaped(path))\""
}
