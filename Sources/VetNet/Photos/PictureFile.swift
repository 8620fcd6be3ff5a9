import Glibc

/// A picture in a file that its owner alone may read, for a program that takes paths; gone with ``remove()``.
struct PictureFile {
  let path: String
  private let folder: String

  init(_ bytes: [UInt8]) throws {
    // In memory where there is a place for that: what is in a practice file touches no disk besides.
    var status = stat()
    let place = stat("/dev/shm", &status) == 0 && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/vetnet-photo-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw PracticeError(.failed, "no folder for the picture can be made in \(place)")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(folder)/picture.jpg"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    var sent = 0
    while descriptor >= 0, sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      sent += count
    }
    if descriptor >= 0 { close(descriptor) }
    guard sent == bytes.count else {
      remove()
      throw PracticeError(.failed, "the picture can't be written to \(place)")
    }
  }

  func remove() {
    unlink(path)
    rmdir(folder)
  }
}
