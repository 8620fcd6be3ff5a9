import Glibc
import VetNet

/// What a program that reads `/metrics` shows: `Authorization: Bearer …`. Kept in a file that only its owner can read.
public struct MetricsToken: Sendable {
  private let bytes: [UInt8]

  /// - Throws: ``PracticeError`` where the file can't be read, others can read it, or it holds no line of 16 to 200 characters.
  public init(file path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw PracticeError(.fileRights, "can't read the token '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw PracticeError(.invalidArgument, "the token '\(path)' is no file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw PracticeError(
        .fileRights, "the token '\(path)' can be read or changed by others on this machine, and is not used",
        hint: "Maybe run: chmod 600 '\(path)'")
    }
    var room = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &room, room.count)
    let text = room.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).first.map(Array.init) ?? []
    guard (16...200).contains(text.count), text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw PracticeError(
        .invalidArgument, "the token '\(path)' is no line of 16 to 200 characters without spaces",
        hint: "Maybe run: openssl rand -hex 32 > '\(path)'")
    }
    bytes = text
  }

  /// Compared in the same time wherever they differ.
  func isShown(by request: Request) -> Bool {
    guard let header = request.header("authorization"), header.hasPrefix("Bearer ") else { return false }
    let shown = Array(header.dropFirst("Bearer ".count).utf8)
    var difference = UInt8(shown.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ (index < shown.count ? shown[index] : 0) }
    return difference == 0
  }
}
