import FoundationEssentials

/// A test collection in BEIR's layout: documents, queries, and which document answers which query.
public struct RetrievalCollection: Sendable {
  public struct Document: Hashable, Sendable {
    public var id: String
    public var title: String
    public var text: String
    public var patientID: String?

    public init(id: String, title: String = "", text: String, patientID: String? = nil) {
      self.id = id
      self.title = title
      self.text = text
      self.patientID = patientID
    }

    /// What is searched.
    public var searchableText: String { title.isEmpty ? text : title + "\n" + text }
  }

  public struct Query: Hashable, Sendable {
    public var id: String
    public var text: String
    /// With a patient, only that patient's documents may answer.
    public var patientID: String?

    public init(id: String, text: String, patientID: String? = nil) {
      self.id = id
      self.text = text
      self.patientID = patientID
    }
  }

  public var documents: [Document]
  public var queries: [Query]
  /// Grades by query id, then document id; 1 and more is relevant.
  public var judgements: [String: [String: Int]]

  public init(documents: [Document], queries: [Query], judgements: [String: [String: Int]]) {
    self.documents = documents
    self.queries = queries
    self.judgements = judgements
  }

  /// The queries that have judgements, in the order of the file: those that are measured.
  public var judgedQueries: [Query] { queries.filter { judgements[$0.id] != nil } }

  /// Reads the content of `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`.
  ///
  /// - Throws: ``EvaluationError`` naming file and line. A judgement about a document that isn't there is not an error:
  ///   it counts as one that can't be found.
  public init(corpus: String, queries: String, qrels: String) throws(EvaluationError) {
    documents = try Self.records(corpus, file: "corpus.jsonl").map { (line: Line) in
      Document(id: line.id, title: line.title ?? "", text: line.text, patientID: line.patientID)
    }
    self.queries = try Self.records(queries, file: "queries.jsonl").map { (line: Line) in
      Query(id: line.id, text: line.text, patientID: line.patientID)
    }
    judgements = try Self.judgements(qrels, file: "qrels.tsv")
  }

  private struct Line: Decodable {
    var id: String
    var title: String?
    var text: String
    var patientID: String?

    enum CodingKeys: String, CodingKey {
      case title, text
      case id = "_id"
      case patientID = "patient_id"
    }
  }

  private static func records(_ text: String, file: String) throws(EvaluationError) -> [Line] {
    let decoder = JSONDecoder()
    var records: [Line] = []
    var ids: Set<String> = []
    for (number, line) in Self.lines(text) {
      guard let record = try? decoder.decode(Line.self, from: Data(line.utf8)) else {
        throw EvaluationError(file: file, line: number, problem: "not an object with '_id' and 'text'")
      }
      guard ids.insert(record.id).inserted else {
        throw EvaluationError(file: file, line: number, problem: "the id '\(record.id)' stands there twice")
      }
      records.append(record)
    }
    return records
  }

  /// Query, document and grade; four columns as in trec_eval's files work too, and so does a head.
  private static func judgements(_ text: String, file: String) throws(EvaluationError) -> [String: [String: Int]] {
    var judgements: [String: [String: Int]] = [:]
    for (number, line) in Self.lines(text) {
      let cells = line.split { $0 == "\t" || $0 == " " || $0 == "\r" }.map(String.init)
      guard cells.count == 3 || cells.count == 4, let grade = cells.last else {
        throw EvaluationError(file: file, line: number, problem: "not a query, a document and a grade")
      }
      guard let grade = Int(grade) else {
        if judgements.isEmpty && number == 1 { continue }
        throw EvaluationError(file: file, line: number, problem: "the grade '\(grade)' is not a whole number")
      }
      judgements[cells[0], default: [:]][cells[cells.count - 2]] = grade
    }
    return judgements
  }

  /// The lines that aren't blank, numbered from 1. By bytes, because "\r\n" is a single character.
  private static func lines(_ text: String) -> [(number: Int, text: Substring)] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .map { ($0.offset + 1, Substring($0.element)) }
      .filter { !$0.1.allSatisfy(\.isWhitespace) }
  }
}

/// A labelled file that can't be used.
public struct EvaluationError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// Nil where the file as a whole is wrong.
  public let line: Int?
  public let problem: String

  public init(file: String, line: Int?, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  public var description: String { "\(file)\(line.map { ", line \($0)" } ?? ""): \(problem)" }
}
