import FoundationEssentials
import Glibc

/// What this user may do with a practice file, in words of files and rights: SQLite's number says neither which nor what to do.
enum FileRights {
  /// What keeps a file from being opened; nil when nothing is seen to.
  ///
  /// Beside the file SQLite keeps two others while it works (`-wal`, `-shm`), so that the folder has to be writable too.
  static func obstacle(_ path: String, writing: Bool) -> PracticeError? {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard may(path, F_OK) else { return creationObstacle(path) }
    guard may(path, R_OK) else { return refusal("the file '\(path)' can't be read", path, right: "read", flag: "u+r") }
    for file in writing ? [path, path + "-wal", path + "-shm"] : [] where may(file, F_OK) && !may(file, W_OK) {
      return refusal("the file '\(file)' can't be written", file, right: "write", flag: "u+w")
    }
    guard may(folder, W_OK | X_OK) else {
      return refusal(
        "the folder '\(folder)' can't be written, where VetNet keeps a log beside '\(path)' while it works", folder,
        right: "write", flag: "u+wx")
    }
    return nil
  }

  /// What keeps a file from being made; nil when nothing is seen to.
  static func creationObstacle(_ path: String) -> PracticeError? {
    var folder = URL(filePath: path).deletingLastPathComponent()
    while !may(folder.path, F_OK), folder.path != "/" { folder = folder.deletingLastPathComponent() }
    guard !may(folder.path, W_OK | X_OK) else { return nil }
    return refusal(
      "the folder '\(folder.path)' can't be written, so that '\(path)' can't be made", folder.path, right: "write",
      flag: "u+wx")
  }

  /// As this process's user, who may be another than the one who started it.
  private static func may(_ path: String, _ rights: Int32) -> Bool {
    faccessat(AT_FDCWD, path, rights, AT_EACCESS) == 0
  }

  private static func refusal(_ what: String, _ path: String, right: String, flag: String) -> PracticeError {
    var status = stat()
    let isMountedReadOnly = right == "write" && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno == EROFS
    guard !isMountedReadOnly else {
      return PracticeError(
        .fileRights, "\(what): it lies on a disk that is mounted read-only",
        hint: "Maybe copy the practice file to a disk that can be written, and name it with --practice.")
    }
    guard stat(path, &status) == 0 else { return PracticeError(.fileRights, what) }
    let quoted = "'\(path.replacing("'", with: "'\\''"))'"
    let isOwner = status.st_uid == geteuid()
    let owner = name(ofUser: status.st_uid)
    return PracticeError(
      .fileRights, "\(what): \(name(ofUser: geteuid())) has no right to \(right) it, which belongs to \(owner)",
      hint: isOwner
        ? "Maybe run: chmod \(flag) \(quoted)" : "Maybe run vetnet as \(owner), or ask \(owner) for the right.")
  }

  private static func name(ofUser id: uid_t) -> String {
    guard let entry = getpwuid(id), let name = entry.pointee.pw_name else { return "user \(id)" }
    return String(cString: name)
  }
}
