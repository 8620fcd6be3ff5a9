/// Reads letters and proposes whom they are about, of when they are and who wrote them, by their own words; files nothing.
public struct ReadLetters: Operation {
  public static let name = "letter.read"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.patient]

  public var paths: [String]

  public init(paths: [String]) {
    self.paths = paths
  }

  public func run(_ passage: Passage) throws -> LetterReadings {
    passage.details["letters"] = String(paths.count)
    let readings = try passage.practice.inbox.readLetters(paths, now: passage.now)
    for letter in readings.letters { passage.touch(.patient, letter.candidates.map(\.id)) }
    passage.isAboutNobody = readings.letters.allSatisfy(\.candidates.isEmpty)
    return readings
  }
}
