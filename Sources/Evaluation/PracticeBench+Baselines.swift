import Clinical
import TextAnalysis
import VetNet

extension PracticeBench {
  /// What was measured within this process.
  struct Baselines {
    /// The rows of the import, put into plain tables.
    var plainSeconds = 0.0
    /// The chunks' text to terms to vectors, nothing written.
    var embeddingSeconds = 0.0
    /// The notes' text to facts on one core, nothing written: seconds that the core worked.
    var factSeconds = 0.0
    var facts = 0
    var textBytes = 0
    /// The same text put into FTS5, in memory and in a file.
    var memoryFullTextSeconds = 0.0
    var fileFullTextSeconds = 0.0
    var chunks = 0
    var distinctTerms = 0
    var model = ""
  }

  /// Does the same work on the same texts in the plainest way, and the part of it that is arithmetic alone.
  ///
  /// The copies are made again rather than kept: making them isn't timed, and holding them all would take the memory of the
  /// whole practice.
  func baselines(_ variation: PracticeVariation, copies: Int, text: SearchText) throws -> Baselines {
    var measured = Baselines()
    let plain = try PlainTableBaseline(path: scratch.file("plain.sqlite"))
    let inMemory = try FullTextBaseline()
    let inFile = try FullTextBaseline(path: scratch.file("fts5.sqlite"))
    let embedder = try BatchEmbedder(models: models)
    let reading = try FactReading(models: models)
    measured.model = "default \(embedder.modelChecksum.prefix(12))"
    var terms: Set<String> = []
    var (notes, numbers, rows) = (0, 0, 0)

    func flush(_ records: inout PracticeRecords) throws {
      guard !records.notes.isEmpty else { return }
      let batch = records
      records = PracticeRecords()
      notes += batch.notes.count
      measured.plainSeconds += try Self.seconds { try plain.insert(batch) }

      var embedded: BatchEmbedder.Batch?
      measured.embeddingSeconds += try Self.seconds { embedded = try embedder.embed(batch.notes.map(\.text)) }
      let read = reading.read(batch.notes)
      measured.factSeconds += read.coreSeconds
      measured.facts += read.facts
      measured.textBytes += batch.notes.reduce(0) { $0 + $1.text.utf8.count }
      measured.chunks += embedded?.terms.count ?? 0
      numbers += embedded?.vectors.count { $0.contains { $0 != 0 } } ?? 0
      for passage in embedded?.terms ?? [] { terms.formUnion(passage) }

      let passages = batch.notes.flatMap { note in
        text.chunker.chunks(of: note.text).map { chunk in
          FullTextBaseline.Row(
            id: note.id, patientID: note.patientID, text: note.text.slice(utf8: chunk.range).map(String.init) ?? "")
        }
      }
      rows += passages.count
      measured.memoryFullTextSeconds += try Self.seconds { try inMemory.insert(passages) }
      measured.fileFullTextSeconds += try Self.seconds { try inFile.insert(passages) }
    }

    var portion = PracticeRecords()
    for number in 0..<copies {
      let copy = variation.copy(number)
      portion.clients += copy.clients
      portion.patients += copy.patients
      portion.notes += copy.notes
      if portion.notes.count >= Self.batchSize { try flush(&portion) }
    }
    try flush(&portion)
    measured.distinctTerms = terms.count
    guard try plain.noteCount() == notes, try inFile.count() == rows, try inMemory.count() == rows else {
      throw Failure(description: "a baseline lost rows")
    }
    // A passage of nothing but unknown words has no direction; most have one, or nothing was embedded.
    guard measured.chunks == rows, numbers * 2 > measured.chunks else {
      throw Failure(description: "\(numbers) of \(rows) passages have a vector")
    }
    guard measured.facts > 0 else { throw Failure(description: "no note states a fact") }
    return measured
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let started = MeasuredProcess.now()
    try work()
    return MeasuredProcess.now() - started
  }
}
