import Foundation
import Store

/// Whether files that notes came from are the same lists as then.
///
/// A file that a program writes anew with what came since its last export has the same name and other rows: that a note of the
/// earlier one is missing in it says nothing.
struct FileListings {
  /// The last note that was there before this import.
  private let last: Int64
  /// Notes that rows may mean whose end is not told yet.
  private var candidates: Set<Int64> = []
  private var filed: [String: [Int64]] = [:]

  init(last: Int64) {
    self.last = last
  }

  mutating func addCandidates(_ rows: [Int64]) { candidates.formUnion(rows) }

  /// Whether no more than half of the notes that came from a file are missing in it now.
  mutating func isListedAgain(
    _ file: String, source: Int64, spokenOf: Set<Int64>, _ notes: NoteStore
  ) throws -> Bool {
    let key = "\(source):\(file)"
    let rows = try filed[key] ?? notes.filed(from: file, source: source, through: last)
    filed[key] = rows
    let missing = rows.count { !spokenOf.contains($0) && !candidates.contains($0) }
    return missing * 2 <= rows.count
  }
}

/// The paths of files, whatever folder somebody was in who named them.
final class FilePaths {
  private var known: [String: String] = [:]

  /// Nil for standard input, which has no name to be known again by.
  func absolute(_ name: String) -> String? {
    guard name != "-" else { return nil }
    if let path = known[name] { return path }
    let path = URL(filePath: name).standardizedFileURL.path(percentEncoded: false)
    known[name] = path
    return path
  }
}

extension String {
  /// Bytes that two texts share at their beginning and their end.
  func sharedEnds(with other: String) -> Int {
    let (one, two) = (Array(utf8), Array(other.utf8))
    let front = zip(one, two).prefix { $0 == $1 }.count
    let back = zip(one.dropFirst(front).reversed(), two.dropFirst(front).reversed()).prefix { $0 == $1 }.count
    return front + back
  }

  /// Whether a text is much the same as another: they share their beginning and end, and these are at least half of the longer.
  func isCorrection(of other: String) -> Bool {
    sharedEnds(with: other) * 2 >= max(utf8.count, other.utf8.count)
  }
}
