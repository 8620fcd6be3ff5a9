import Glibc
import VetNet

/// The passphrases of encrypted practice files that a server of many opens by itself: a folder with a file for each, called as the practice
/// is, its passphrase in the first line. Such is what systemd puts together of encrypted credentials.
struct PassphraseFolder: Sendable {
  let path: String

  /// Opens the key of a file, if it isn't open: by what the kernel holds, else by the folder's passphrase.
  ///
  /// - Parameters:
  ///   - name: of the practice.
  ///   - file: the practice file.
  ///   - folder: nil where the server was given none.
  /// - Throws: ``PracticeError`` with `key` where neither opens it, or others can read the passphrase.
  static func unlock(_ name: String, _ file: String, with folder: PassphraseFolder?) throws {
    guard try PracticeLock.state(of: file) == .locked else { return }
    PracticeLock.keepMemoryPrivate()
    if try PracticeLock.openFromKernel(file) { return }
    guard let folder else { return }
    try folder.passphrase(of: name)?.withBytes { try PracticeLock.open(file, with: $0) }
  }

  /// - Returns: nil where there is no file of the practice.
  private func passphrase(of name: String) throws -> Passphrase? {
    let file = "\(path)/\(name)"
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() || status.st_uid == 0,
      status.st_mode & 0o077 == 0
    else {
      throw PracticeError(
        .key, "the passphrase file '\(file)' can be read or changed by others on this machine, and is not used",
        hint: "Maybe run: chmod 600 '\(file)'")
    }
    return try PassphraseInput.read(file: file)
  }
}
