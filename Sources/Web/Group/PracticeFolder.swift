import Glibc
import VetNet

/// The folder whose practice files a server holds.
///
/// A file is a practice by its name, which is the list's to say: `north.vetnet` is `north`. What a request names is looked up in the list and
/// never made into a path.
struct PracticeFolder: Sendable {
  let path: String

  static let suffix = ".vetnet"
  /// The file of the group itself, whose users are who signs in: no practice.
  static let groupFile = "group.vetnet"

  /// A practice file as it lies there.
  struct File: Sendable, Hashable {
    let name: String
    let path: String
    /// Which file it is, whatever it is called: another one under the same name is opened anew.
    let identity: Identity
    /// What changes when something is written to it, without opening it.
    let stamp: Stamp
  }

  struct Identity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
  }

  struct Stamp: Sendable, Hashable {
    let seconds: Int
    let nanoseconds: Int
    let bytes: Int
    let logSeconds: Int
    let logNanoseconds: Int
  }

  struct Listing: Sendable, Hashable {
    var files: [File] = []
    /// Files whose names can stand in no address.
    var misnamed: [String] = []
  }

  var groupPath: String { "\(path)/\(Self.groupFile)" }

  /// What lies there now, by name; nil where the folder can't be read.
  func list() -> Listing? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var found = Listing()
    while let entry = readdir(folder) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard file.hasSuffix(Self.suffix), file != Self.groupFile, !file.hasPrefix(".") else { continue }
      let name = String(file.dropLast(Self.suffix.count))
      guard MountPoint.isName(name) else {
        found.misnamed.append(file)
        continue
      }
      if let described = Self.describe(name, "\(path)/\(file)") { found.files.append(described) }
    }
    found.files.sort { $0.name < $1.name }
    found.misnamed.sort()
    return found
  }

  /// A file as it lies there; nil where there is none.
  static func describe(_ name: String, _ path: String) -> File? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var log = stat()
    if stat(path + "-wal", &log) != 0 { log = stat() }
    return File(
      name: name, path: path,
      identity: Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
      stamp: Stamp(
        seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec), bytes: Int(status.st_size),
        logSeconds: Int(log.st_mtim.tv_sec), logNanoseconds: Int(log.st_mtim.tv_nsec)))
  }
}
