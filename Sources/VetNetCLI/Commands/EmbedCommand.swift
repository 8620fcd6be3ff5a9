import Clinical
import FoundationEssentials
import Glibc
import VetNet

enum EmbedCommand {
  static let command = Command(
    "embed", "turns notes into passages, vectors and facts, as the practice file would hold them",
    positionals: [Positional("FILE", "JSON Lines of notes, or - for standard input")],
    options: [
      Option("--vectors", "numbers|base64|none", "how vectors are written (default numbers)"),
      Option("--model", "FILE", "a model file instead of the default one"),
    ],
    examples: [
      Example("vetnet embed notes.jsonl > embedded.jsonl", "a line for each note, in order"),
      Example("vetnet embed notes.jsonl --vectors none", "facts and terms only"),
    ],
    discussion: """
      Needs no practice file. A line has text, and may have id and kind, as in the import format. What comes out has id, model, rules, chunks
      (start and end in code points, terms, token_count, vector) and facts. base64 is of little-endian 32-bit floats. A line that is no note
      is named on standard error, and the exit code is then 3.
      """
  ) { invocation in
    let word = invocation.arguments.value("--vectors") ?? "numbers"
    guard let form = EmbeddedVector.Form(rawValue: word) else {
      throw UsageError(
        "--vectors '\(word)' is none of \(EmbeddedVector.Form.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let embedder = try NoteEmbedder(models: invocation.models(), modelFile: invocation.arguments.value("--model"))
    let path = invocation.arguments.positionals[0]
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PracticeError(.notFound, "can't read '\(path)'", hint: "Maybe the name is mistyped.")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var lines = LineSource(limit: longestLine, descriptor: descriptor)
    var number = 0
    var rejected = 0
    var waiting: [ClinicalNote] = []
    func flush() throws {
      for note in embedder.embed(waiting, vectorsAs: form) {
        try invocation.terminal.printJSON(note)
        guard let reason = note.error else { continue }
        rejected += 1
        invocation.terminal.say("\(note.id): \(reason)")
      }
      waiting.removeAll(keepingCapacity: true)
    }
    while let line = lines.next() {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do throws(RowProblem) {
        waiting.append(try note(line, number))
      } catch {
        rejected += 1
        invocation.terminal.say("\(path):\(number): \(error.words)")
      }
      if waiting.count == batch { try flush() }
    }
    try flush()
    return rejected == 0 ? .ok : .someInputRejected
  }

  private static let batch = 256
  /// In bytes: as much as import takes for one row.
  private static let longestLine = 8 << 20

  private struct Row: Decodable {
    let id: String?
    let text: String?
    let kind: String?
  }

  private struct RowProblem: Error {
    let words: String
  }

  private static func note(_ line: [UInt8], _ number: Int) throws(RowProblem) -> ClinicalNote {
    guard let row = try? JSONDecoder().decode(Row.self, from: Data(line)) else {
      throw RowProblem(words: "is no JSON object with texts")
    }
    guard let text = row.text else { throw RowProblem(words: "text: is missing") }
    guard let kind = NoteKind(rawValue: row.kind ?? NoteKind.consult.rawValue) else {
      throw RowProblem(words: "kind: '\((row.kind ?? "").prefix(40))' is no kind of note")
    }
    return ClinicalNote(
      id: row.id ?? "\(number)", patientID: "", recordedAt: Timestamp(seconds: 0), kind: kind, text: text)
  }
}
