/// Proposes how another program's export is read, from its headings and values; nothing is imported.
public struct GuessMapping: Operation {
  public static let name = "import.guess"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = []

  public var paths: [String]
  /// What a person answered to the doubts of an earlier look, by their ids.
  public var answers: [String: String]

  public init(paths: [String], answers: [String: String] = [:]) {
    self.paths = paths
    self.answers = answers
  }

  public func run(_ passage: Passage) throws -> MappingGuess {
    try passage.practice.exchange.guessMapping(paths, answers: answers, now: passage.now)
  }
}
