import Foundation
import Glibc

/// A folder or file that is being written under a name of its own, beside the place where it will stand: nobody finds it half done.
///
/// Readable by its owner only, and gone with the value unless it was put in place.
public final class StagedOutput {
  /// Where it is being written: a folder, or a file within the folder that is.
  public let path: String
  private let folder: String
  private let destination: String
  private let isFolder: Bool
  private var isInPlace = false

  /// - Parameters:
  ///   - destination: where it is to stand; nothing but an empty folder may be there for a folder, and a file is replaced.
  ///   - isFolder: whether it is a folder.
  /// - Throws: ``InterchangeError`` with `alreadyThere`, or `writeFailed` where the folder above can't be written.
  public init(for destination: String, isFolder: Bool) throws(InterchangeError) {
    self.destination = destination
    self.isFolder = isFolder
    var status = stat()
    let isThere = lstat(destination, &status) == 0
    let isOtherFolder = isThere && status.st_mode & S_IFMT == S_IFDIR
    let entries = isOtherFolder ? try? FileManager.default.contentsOfDirectory(atPath: destination) : nil
    if isThere, isFolder ? entries?.isEmpty != true : status.st_mode & S_IFMT != S_IFREG {
      throw InterchangeError(
        .alreadyThere, path: destination,
        hint: isFolder ? "name a folder that is empty, or not there yet" : "name a file")
    }
    let parent = URL(filePath: destination).deletingLastPathComponent().path
    var name = Array("\(parent)/.vetnet-export-XXXXXX".utf8CString)
    // Made with mode 0700.
    guard mkdtemp(&name) != nil else { throw InterchangeError(.writeFailed, path: parent, systemError: errno) }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = isFolder ? folder : "\(folder)/export"
  }

  deinit {
    guard !isInPlace || !isFolder else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Gives it its name, in one step.
  public func putInPlace() throws(InterchangeError) {
    guard rename(path, destination) == 0 else {
      throw InterchangeError(.writeFailed, path: destination, systemError: errno)
    }
    isInPlace = true
  }
}
