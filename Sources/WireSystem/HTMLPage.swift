extension [UInt8] {
  /// Whether these are the first bytes of an HTML page: `<html` or `<!doctype`, in upper or lower case.
  package var startsHTMLPage: Bool {
    let text = drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 | 0x20 }
    return text.starts(with: "<html".utf8) || text.starts(with: "<!doctype".utf8)
  }
}
