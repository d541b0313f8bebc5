import WireGRPC

/// Returns a token with these claims and without a valid signature.
func unsignedToken(_ claims: String) -> String {
  func part(_ json: String) -> String {
    String(
      Base64.encode(Array(json.utf8)).map { character in
        switch character {
        case "+": "-"
        case "/": "_"
        default: character
        }
      })
  }
  return part(#"{"alg":"RS256"}"#) + "." + part(claims) + ".c2ln"
}
