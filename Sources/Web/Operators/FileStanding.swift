import Glibc

/// Whether a practice file, or a folder of them, can be written, told without opening it.
enum FileStanding {
  /// With less room than this nothing is taken on.
  private static let leastBytes: UInt64 = 16 << 20

  static func canWrite(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, access(path, W_OK) == 0 else { return false }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let folder = isFolder ? path : path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var system = statvfs()
    guard access(folder.isEmpty ? "/" : folder, W_OK) == 0, statvfs(path, &system) == 0 else { return false }
    let isReadOnly = system.f_flag & UInt(ST_RDONLY) != 0
    return !isReadOnly && UInt64(system.f_bavail) * UInt64(system.f_frsize) >= leastBytes
  }
}
