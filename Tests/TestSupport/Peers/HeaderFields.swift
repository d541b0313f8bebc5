package import WireHTTP2

package func fields(_ pairs: KeyValuePairs<String, String>) -> [HeaderField] {
  pairs.map { HeaderField($0.key, $0.value) }
}
