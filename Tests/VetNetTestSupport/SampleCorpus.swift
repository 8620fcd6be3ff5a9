public import Foundation
import Glibc

/// The sample practice in a file, made once a process and copied for each test that begins with it: importing and indexing it takes
/// seconds, copying it none.
public enum SampleCorpus {
  public enum Kind: String, Sendable, CaseIterable {
    /// Everything in `Corpus`, indexed.
    case indexed
    /// Everything, without an index.
    case records
    /// All patients with the first hundred notes, indexed.
    case small
  }

  /// The program on a copy of its own; the practice is called Test, and its clocks are London's.
  public static func practice(at path: String, _ kind: Kind = .indexed) throws -> VetNetProcess {
    let made =
      switch kind {
      case .indexed: try indexed.get()
      case .records: try records.get()
      case .small: try small.get()
      }
    for suffix in ["", ".audit-key"] {
      try FileManager.default.copyItem(atPath: made + suffix, toPath: path + suffix)
    }
    return try VetNetProcess(practice: path)
  }

  private static let indexed = Result { try make(.indexed) }
  private static let records = Result { try make(.records) }
  private static let small = Result { try make(.small) }

  private struct NotMade: Error { let errors: String }

  private static func make(_ kind: Kind) throws -> String {
    let folder = try TemporaryFolder()
    folders.keep(folder)
    let path = folder.file("practice.vetnet")
    let vetnet = try VetNetProcess(practice: path)
    var words = ["import", "--now", "2026-11-20T18:00"]
    switch kind {
    case .indexed: words.append(projectDirectory + "/Corpus")
    case .records: words += [projectDirectory + "/Corpus", "--no-index"]
    case .small:
      let notes = try String(contentsOfFile: projectDirectory + "/Corpus/notes.jsonl", encoding: .utf8)
      let first = notes.split(separator: "\n").prefix(100).joined(separator: "\n") + "\n"
      words += [projectDirectory + "/Corpus/patients.jsonl", try folder.write(first, to: "notes.jsonl")]
    }
    for arguments in [["init", "--name", "Test", "--time-zone", "Europe/London"], words] {
      let outcome = try vetnet.start(arguments).wait()
      guard outcome.status == 0 else { throw NotMade(errors: outcome.errors) }
    }
    return path
  }

  private static let folders = Folders()

  /// Kept while the process runs, and removed at its end, when nothing is freed any more.
  private final class Folders: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [TemporaryFolder] = []

    init() { atexit { SampleCorpus.folders.removeAll() } }

    func keep(_ folder: TemporaryFolder) { lock.withLock { all.append(folder) } }

    func removeAll() {
      for folder in lock.withLock({ all }) { try? FileManager.default.removeItem(atPath: folder.path) }
    }
  }
}
