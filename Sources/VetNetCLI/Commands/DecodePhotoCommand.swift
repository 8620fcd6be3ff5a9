import FoundationEssentials
import Glibc
import VetNet

/// What the program starts of itself for each picture: reads it, and writes what is kept of it. It may touch nothing but the system's own
/// files, and talks to nobody.
enum DecodePhotoCommand {
  static let command = Command(
    PhotoDecoder.command, "decodes a picture for this program",
    options: [
      Option("--original", "PIXELS", "the longer edge of the original, none or any"),
      Option("--details", nil, "keep place, time and device"),
    ], examples: [], files: { _ in .system }
  ) { invocation in
    guard let input = readAll() else { return .failed }
    let output = try PictureWorkshop.work(
      input, originalEdge: invocation.arguments.value("--original") ?? "any",
      keepsDetails: invocation.arguments.isSet("--details"))
    var sent = 0
    while sent < output.count {
      let count = output[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return .failed }
      sent += count
    }
    return .ok
  }

  /// Standard input, a little more than what is taken at most; nil where it can't be read.
  static func readAll() -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count >= 0 else { return nil }
      if count == 0 || bytes.count > PhotoDecoder.mostBytes { return bytes }
      bytes += buffer[..<count]
    }
  }
}
