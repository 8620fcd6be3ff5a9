import Glibc
import VetNet

/// A file that somebody sent, which an import can read and that never touches the disk: its bytes are in memory, and a link of its name
/// leads to them. What a kill leaves behind is a link to nothing.
final class Upload: Sendable {
  let path: String
  private let folder: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - name: what the sender calls it: an import knows by the name what it holds.
  ///   - bytes: what it holds.
  /// - Throws: ``ErrorBody`` for a name that is none, ``PracticeError`` where it can't be kept.
  init(_ name: String, _ bytes: [UInt8]) throws {
    guard Self.isName(name) else {
      throw ErrorBody(
        400, "invalid_field", "'name' is no name of a file", hint: "Send name=notes.jsonl in the address.",
        field: "name")
    }
    let file = Self.memory()
    guard file >= 0, Self.write(bytes, to: file) else {
      if file >= 0 { close(file) }
      throw PracticeError(.failed, "there is no memory for the file")
    }
    descriptor = file
    var template = Array("/tmp/vetnet-upload-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      close(file)
      throw PracticeError(.failed, "can't make a folder for the file in /tmp")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(folder)/\(name)"
    guard symlink("/proc/self/fd/\(file)", path) == 0 else {
      close(file)
      rmdir(folder)
      throw PracticeError(.failed, "can't make a folder for the file in /tmp")
    }
  }

  /// A file in memory that has no name any more; -1 where none is to be had.
  private static func memory() -> Int32 {
    var template = Array("/dev/shm/vetnet-upload-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return -1 }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func remove() {
    unlink(path)
    rmdir(folder)
    close(descriptor)
  }

  private static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
      && name.unicodeScalars.allSatisfy {
        $0 == "." || $0 == "-" || $0 == "_" || $0 == " " || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
  }
}
