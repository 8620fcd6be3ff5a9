import Clinical
import FoundationEssentials
import Glibc
import Store

/// What others have worked out of a practice's notes, read again in the order of the notes: files of lines, each line of a note as it was.
///
/// A note that was changed, added or deleted since makes no difference: its line fits none, and it is worked out where it is written.
final class PreparedNotes {
  /// What a line of a file begins with: the version of the note that it is of.
  static let head = Array(#"{"content":""#.utf8)

  private let model: String
  private let rules: String
  /// Those that are still to be read, the next one last.
  private var files: [String]
  private var lines: ArraySlice<ArraySlice<UInt8>> = []

  /// - Parameters:
  ///   - folder: where the files lie, named so that their order is that of the notes.
  ///   - model: lines of other projections are passed over.
  ///   - rules: and those of other rules.
  /// - Throws: ``PracticeError`` with `notFound` where there is no such folder.
  init(folder: String, model: String, rules: String) throws {
    guard Folder.exists(folder) else { throw PracticeError(.notFound, "there is no folder '\(folder)'") }
    self.model = model
    self.rules = rules
    files = Folder.names(in: folder).filter { $0.hasSuffix(".jsonl") }.sorted(by: >).map { "\(folder)/\($0)" }
  }

  /// Lines of notes, nil where there is none.
  struct Lines: Sendable {
    let found: [ArraySlice<UInt8>?]
    let model: String
    let rules: String

    /// What the lines hold; what they lack is worked out.
    func digests(of notes: [StoredNote], by reader: NoteReader) -> [NoteDigest] {
      let places = Array(notes.indices)
      var digests = Concurrent.map(places) { place -> NoteDigest? in
        guard let line = found[place],
          let embedded = try? JSONDecoder().decode(EmbeddedNote.self, from: Data(line)),
          embedded.model == model, embedded.rules == rules
        else { return nil }
        return embedded.digest(of: notes[place].value)
      }
      let missing = places.filter { digests[$0] == nil }
      for (place, digest) in zip(missing, reader.digests(of: missing.map { notes[$0].value })) {
        digests[place] = digest
      }
      return digests.compactMap(\.self)
    }
  }

  /// The lines of some notes that come after all those asked for before.
  func lines(for notes: [StoredNote]) -> Lines {
    Lines(found: notes.map { line(of: $0.contentHash) }, model: model, rules: rules)
  }

  /// How many lines are looked at for one note: so many that were deleted since may stand before it.
  private static let reach = 4096

  private func line(of version: ContentHash) -> ArraySlice<UInt8>? {
    let wanted = Self.head + Array(version.hexadecimal.utf8)
    while lines.isEmpty, let file = files.popLast() {
      guard let bytes = try? FileContents.bytes(file) else { continue }
      lines = bytes[...].split(separator: UInt8(ascii: "\n"))[...]
    }
    for (steps, place) in lines.indices.prefix(Self.reach).enumerated() where lines[place].starts(with: wanted) {
      let line = lines[place]
      lines = lines.dropFirst(steps + 1)
      return line
    }
    return nil
  }
}
