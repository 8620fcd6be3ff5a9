/// A file read whole, up to a limit.
struct WholeFile {
  let file: InputFile
  var encoding = TextEncoding.utf8

  /// Everything in UTF-8, up to `limit` bytes of the file; nil when there is more.
  func contents(upTo limit: Int) throws(InterchangeError) -> [UInt8]? {
    guard file.size <= Int64(limit) else { return nil }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try file.read(at: Int64(contents.count), into: &buffer)
      if count == 0 { break }
      contents += buffer[..<count]
      guard contents.count <= limit else { return nil }
    }
    guard encoding != .utf8 else { return contents }
    var decoded: [UInt8] = []
    let decoder = TextDecoder(encoding)
    do throws(TextDecoder.Failure) {
      try decoder.decode(contents, into: &decoded)
      try decoder.finish()
    } catch {
      throw InterchangeError(.readFailed, path: file.path, hint: "the file changed while it was read")
    }
    return decoded
  }
}
