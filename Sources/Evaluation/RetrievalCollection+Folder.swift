import FoundationEssentials

extension RetrievalCollection {
  /// Reads `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` of a folder; where the last stands in a folder `qrels`, as BEIR
  /// has it, its `test.tsv` is read.
  ///
  /// - Parameters:
  ///   - folder: where the files are.
  ///   - needsJudgements: false to go without `qrels.tsv`; nothing can be measured then, only ranked.
  /// - Throws: ``EvaluationError`` naming the file that is missing or wrong.
  public init(folder: String, needsJudgements: Bool = true) throws(EvaluationError) {
    let corpus = try Self.text("corpus.jsonl", in: folder)
    let queries = try Self.text("queries.jsonl", in: folder)
    var judgements = ""
    if FileManager.default.fileExists(atPath: folder + "/qrels/test.tsv") {
      judgements = try Self.text("qrels/test.tsv", in: folder)
    } else if needsJudgements || FileManager.default.fileExists(atPath: folder + "/qrels.tsv") {
      judgements = try Self.text("qrels.tsv", in: folder)
    }
    try self.init(corpus: corpus, queries: queries, qrels: judgements)
  }

  private static func text(_ file: String, in folder: String) throws(EvaluationError) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
    } catch {
      throw EvaluationError(file: "\(folder)/\(file)", line: nil, problem: "can't be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw EvaluationError(file: "\(folder)/\(file)", line: nil, problem: "is not UTF-8")
    }
    return text
  }
}
