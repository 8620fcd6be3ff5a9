/// Where `bytes` first stop being UTF-8; nil when they never do.
///
/// - Complexity: O(number of bytes).
func firstInvalidUTF8Offset(in bytes: [UInt8]) -> Int? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}

/// What a file that is no text gives away in its first bytes; nil where nothing does.
func foreignFormat(of bytes: some Collection<UInt8>) -> String? {
  if bytes.starts(with: [0x1F, 0x8B]) { return "compressed (gzip)" }
  if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "an archive or a spreadsheet (zip)" }
  if bytes.starts(with: Array("%PDF-".utf8)) { return "a PDF" }
  return nil
}
