import Assessment
import Clinical

/// Urgent messages that hang on the words of a row, to put other forms of the row in their place.
struct ConceptCarriers {
  /// A message with the place of the row's words, UTF-8.
  private struct Carrier {
    let intake: Intake
    let place: Range<Int>
  }

  private var ofRow: [String: [Carrier]] = [:]

  /// Carriers of a row: more say little more.
  private static let enough = 2
  /// Messages in which a row is looked for: what so many don't hang on, none may.
  private static let mostTries = 40
  /// Words that mean nothing here.
  private static let nonsense = "xxxxx"

  /// - Parameters:
  ///   - intakes: messages, those first that show their finding with few other words.
  ///   - verdicts: of the intakes, by `trial`.
  ///   - trial: the table as it is.
  init(_ intakes: [Intake], _ verdicts: [ConceptTrial.Verdict], _ trial: ConceptTrial) {
    var tries: [String: Int] = [:]
    for (intake, verdict) in zip(intakes, verdicts) where verdict.urgency >= .orange {
      for row in Set(trial.lexicon.forms(in: intake.text).map(\.row)).sorted()
      where (ofRow[row]?.count ?? 0) < Self.enough && tries[row, default: 0] < Self.mostTries {
        tries[row, default: 0] += 1
        let hanging = trial.lexicon.places(of: row, in: intake.text).first { place in
          let without = Self.replacing(place, of: intake, with: Self.nonsense)
          return trial.verdict(of: without).urgency < verdict.urgency
        }
        if let hanging { ofRow[row, default: []].append(Carrier(intake: intake, place: hanging)) }
      }
    }
  }

  /// The carriers of a row with other words in the place of its own.
  func messages(ofRow row: String, saying words: String) -> [Intake] {
    (ofRow[row] ?? []).map { Self.replacing($0.place, of: $0.intake, with: words) }
  }

  private static func replacing(_ place: Range<Int>, of intake: Intake, with words: String) -> Intake {
    var bytes = Array(intake.text.utf8)
    bytes.replaceSubrange(place, with: words.utf8)
    var changed = intake
    changed.text = String(decoding: bytes, as: UTF8.self)
    return changed
  }
}
