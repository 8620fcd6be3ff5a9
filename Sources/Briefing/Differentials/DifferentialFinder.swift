public import Assessment
import Chart
public import Clinical
public import Extraction
import Formulary

/// Words that came in about a visit, with what they name: the reason as booked, a message.
public struct PresentedText: Sendable {
  public let reference: SourceReference
  public let text: String
  public let findings: [Finding]
  /// Drugs above all.
  public let facts: [Fact]
  /// What triage makes of the words: it understands more of what owners say.
  public let assessment: CaseAssessment?

  public init(
    reference: SourceReference, text: String, findings: [Finding], facts: [Fact] = [],
    assessment: CaseAssessment? = nil
  ) {
    self.assessment = assessment
    self.reference = reference
    self.text = text
    self.findings = findings
    self.facts = facts
  }
}

/// Where something stands that speaks for a differential.
enum Place {
  case note(RecordedFact)
  /// In the words that came in; UTF-8 bytes of them.
  case presented(PresentedText, Range<Int>)
  /// In the registration.
  case registration
}

/// A possibility with what speaks for it.
struct Differential {
  struct Supporting {
    let name: String
    let place: Place
  }

  let name: String
  let severity: Severity
  let complaints: [String]
  /// The presenting findings first.
  let support: [Supporting]
  let apart: String
  let references: [SourceReference]
  /// Rows for an age, sex or breed fit better than rows for any.
  let isParticular: Bool
  /// A finding counts one, one that goes with any illness less than half.
  var weight = 0.0
}

/// What the patient shows, by name, with the best place of each.
struct ClinicalPicture {
  /// What it comes with today, in the order of the words.
  var presenting: [(name: String, place: Place)] = []
  /// What else the record knows: lasting problems, recent findings.
  var context: [(name: String, place: Place)] = []
  var drugs: [(drug: Formulary.Drug, place: Place)] = []
  /// Flagged `high` or `low`.
  var labs: [(name: String, flag: LabFlag, item: RecordedFact)] = []
  var species: Species
  var months: Int?
  var sex: Sex
  var breedWords: [String]

  func place(of name: String) -> Place? {
    presenting.first { $0.name == name }?.place ?? context.first { $0.name == name }?.place
  }
}

/// Matches a clinical picture with the table of differentials.
struct DifferentialFinder {
  let table: DifferentialTable
  /// Several possibilities are worth naming, a textbook chapter is not.
  static let limit = 4
  private static let vagueLimit = 2
  /// What scores so much less than the best is not worth a line beside it.
  private static let reach = 1.5
  private static let nonspecificWeight = 0.4

  struct Found {
    /// What the findings present as, the best founded first.
    let complaints: [String]
    /// Worst first, then the best supported.
    let differentials: [Differential]
    let workUp: [(text: String, reference: SourceReference)]
  }

  /// - Complexity: O(rows × findings).
  func differentials(of picture: ClinicalPicture) -> Found {
    let presenting = Set(picture.presenting.map(\.name))
    let all = presenting.union(picture.context.map(\.name))
    var order: [String] = []
    var merged: [String: Differential] = [:]
    var complaints: [(name: String, count: Int, row: DifferentialTable.Row)] = []
    for row in table.rows where row.species.contains(picture.species) && row.sex?.admits(picture.sex) ?? true {
      if let age = row.age, let months = picture.months, !age.contains(months) { continue }
      let ways = row.ways.filter { way in
        !presenting.isDisjoint(with: way) && all.isSuperset(of: way)
      }
      guard let best = ways.max(by: { $0.count < $1.count }), hasNeeded(row, picture) else { continue }
      if let known = complaints.firstIndex(where: { $0.name == row.complaint }) {
        complaints[known].count = max(complaints[known].count, best.count)
      } else {
        complaints.append((row.complaint, best.count, row))
      }
      let one = differential(row, ways, picture)
      if let known = merged[one.name] {
        merged[one.name] = Self.merge(known, one)
      } else {
        order.append(one.name)
        merged[one.name] = one
      }
    }
    let weighed = order.compactMap { merged[$0] }.map(weighed)
    let best = weighed.map(Self.score).max() ?? 0
    let ranked = weighed.enumerated().sorted {
      let (left, right) = (Self.score($0.element), Self.score($1.element))
      return left == right ? $0.offset < $1.offset : left > right
    }.map(\.element).filter { Self.score($0) >= best - Self.reach }
    // Of an animal that is only "not himself" a list of everything says nothing.
    let isVague = weighed.allSatisfy { $0.weight < 1 }
    let named = ranked.prefix(isVague ? Self.vagueLimit : Self.limit)
    let worstFirst = named.enumerated().sorted {
      let (left, right) = ($0.element, $1.element)
      if left.severity != right.severity { return left.severity > right.severity }
      return $0.offset < $1.offset
    }.map(\.element)
    // The complaint of the best founded possibility first: its work-up is the one to begin with.
    let leading = ranked.first?.complaints ?? []
    let complained = complaints.enumerated().map { place, complaint in
      (order: (leading.firstIndex(of: complaint.name) ?? leading.count, -complaint.count, place), complaint: complaint)
    }.sorted { $0.order < $1.order }.map(\.complaint)
    return Found(
      complaints: complained.map(\.name), differentials: worstFirst,
      workUp: complained.map { ($0.row.workUp, $0.row.reference) })
  }

  /// More support first; a grave or particular possibility that a little less speaks for is still worth naming.
  private static func score(_ differential: Differential) -> Double {
    let steps = Double(Severity.allCases.firstIndex(of: differential.severity) ?? 0)
    // Where nothing but the complaint speaks for any of them, the grave ones do not push out the usual ones.
    let grave = steps * (differential.support.count > 1 ? 0.35 : 0.2)
    return differential.weight + grave + (differential.isParticular ? 0.4 : 0)
  }

  private func weighed(_ differential: Differential) -> Differential {
    var weighed = differential
    weighed.weight = differential.support.reduce(0) {
      $0 + (table.nonspecific.contains($1.name) ? Self.nonspecificWeight : 1)
    }
    return weighed
  }

  /// Whether what a row can't do without is there: a drug's effect needs the drug.
  private func hasNeeded(_ row: DifferentialTable.Row, _ picture: ClinicalPicture) -> Bool {
    row.needed.isEmpty
      || row.needed.contains { support in
        switch support {
        case .finding(let name): picture.place(of: name) != nil
        case .drug(let set): picture.drugs.contains { set.contains($0.drug) }
        case .lab(let name, let flag): picture.labs.contains { $0.name == name && $0.flag == flag }
        case .breed(let words): Set(picture.breedWords).isSuperset(of: words.split(separator: " ").map(String.init))
        }
      }
  }

  private func differential(
    _ row: DifferentialTable.Row, _ ways: [[String]], _ picture: ClinicalPicture
  ) -> Differential {
    var support: [Differential.Supporting] = []
    func add(_ name: String, _ place: Place) {
      if !support.contains(where: { $0.name == name }) {
        support.append(Differential.Supporting(name: name, place: place))
      }
    }
    let triggers = Set(ways.flatMap { $0 })
    for item in picture.presenting where triggers.contains(item.name) { add(item.name, item.place) }
    var hasBreed = false
    for wanted in row.supports {
      switch wanted {
      case .finding(let name): if let place = picture.place(of: name) { add(name, place) }
      case .drug(let set):
        for item in picture.drugs where set.contains(item.drug) { add("on \(item.drug.generic)", item.place) }
      case .lab(let name, let flag):
        if let item = picture.labs.first(where: { $0.name == name && $0.flag == flag })?.item {
          add("\(name) \(flag)", .note(item))
        }
      case .breed(let words):
        let wanted = words.split(separator: " ").map(String.init)
        if !hasBreed, !wanted.isEmpty, Set(picture.breedWords).isSuperset(of: wanted) {
          hasBreed = true
          add("breed", .registration)
        }
      }
    }
    // A combination that makes the complaint counts once it is complete.
    for name in triggers.sorted() { if let place = picture.place(of: name) { add(name, place) } }
    return Differential(
      name: row.differential, severity: row.severity, complaints: [row.complaint], support: support, apart: row.apart,
      references: [row.reference],
      isParticular: hasBreed || (row.age != nil && picture.months != nil) || (row.sex != nil && picture.sex != .unknown)
    )
  }

  /// The same possibility for two complaints: the graver severity, all that speaks for it.
  private static func merge(_ one: Differential, _ other: Differential) -> Differential {
    let names = Set(one.support.map(\.name))
    return Differential(
      name: one.name, severity: max(one.severity, other.severity), complaints: one.complaints + other.complaints,
      support: one.support + other.support.filter { !names.contains($0.name) }, apart: one.apart,
      references: one.references, isParticular: one.isParticular || other.isParticular)
  }
}
