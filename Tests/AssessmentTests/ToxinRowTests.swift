import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

/// A row of `toxins.tsv` as its tests need it.
struct ToxinRow: CustomTestStringConvertible, Sendable {
  let toxin: ToxinTable.Toxin
  /// A name of the poison in the table's words.
  let form: String
  let species: Species
  let example: String

  var testDescription: String { toxin.id }

  static let all: [ToxinRow] = {
    guard let rows = try? modelTable("triage/toxins.tsv").rows, let table = try? Shipped.toxins() else { return [] }
    return rows.compactMap { row in
      guard let toxin = table.toxins.first(where: { $0.id == row["id"] }) else { return nil }
      let forms = row.list("forms")
      let form = forms.first { !$0.contains { "@*=".contains($0) } } ?? forms[0].filter { $0 != "*" }
      let species = row.list("species").first.flatMap { Species(rawValue: $0) } ?? .dog
      return ToxinRow(toxin: toxin, form: form, species: species, example: row["example"])
    }
  }()

  func finding(_ text: String, weight: Double? = nil) throws -> ToxinFinding? {
    try Shipped.toxinFindings(text, species: species, weight: weight).first { $0.id == toxin.id }
  }
}

struct ToxinRowTests {
  @Test func `there is a row for every poison with a delay`() {
    let ids = Set(ToxinRow.all.map(\.toxin.id))
    for id in [
      "rodenticide", "paracetamol-cat", "grapes", "xylitol", "sago-palm", "mushroom", "metaldehyde", "ethylene-glycol",
      "lily", "permethrin", "bromethalin", "vitamin-d", "ibuprofen", "allium",
    ] { #expect(ids.contains(id), "\(id)") }
  }

  /// A hundredth below the border and above it.
  @Test(arguments: ToxinRow.all.filter { !$0.toxin.levels.thresholds.isEmpty })
  func `each dose border holds on both sides`(row: ToxinRow) throws {
    let isFood = row.toxin.content.milligramsPerGram != nil
    let text = isFood ? "ate 100 g of \(row.form)" : "swallowed ten 400 mg \(row.form) tablets"
    let milligrams = (row.toxin.content.milligramsPerGram ?? 40) * 100
    var below = Urgency.green
    for (level, border) in row.toxin.levels.thresholds {
      let less = try #require(try row.finding(text, weight: milligrams / (border * 0.99)))
      #expect(less.judgement.level == below, "\(less.judgement.reason)")
      let more = try #require(try row.finding(text, weight: milligrams / (border * 1.01)))
      #expect(more.judgement.level == level, "\(more.judgement.reason)")
      #expect(abs((more.judgement.dose ?? .nan) - border * 1.01) < border / 1000, "\(more.judgement.reason)")
      #expect((less.judgement.downgrade != nil) == (below < row.toxin.levels.unknown), "\(less.judgement.reason)")
      below = level
    }
  }

  @Test(arguments: ToxinRow.all)
  func `time lowers nothing before the last onset`(row: ToxinRow) throws {
    func level(_ time: String) throws -> ToxinFinding {
      try #require(try row.finding("it licked at the \(row.form) \(time)"), "\(time)")
    }
    let own = row.toxin.levels.unknown
    let after = min(own, row.toxin.course.level)
    let minutes = Int(row.toxin.course.onset * 60)
    let last = Int(row.toxin.course.lastOnset)
    for time in [
      "", "\(minutes - 1) minutes ago", "\(minutes + 1) minutes ago", "\(last / 2) hours ago", "\(last - 1) hours ago",
      "and has been fine since", "nearly \(last / 24) days ago",
    ] {
      let finding = try level(time)
      #expect(finding.judgement.level == own, "\(time): \(finding.judgement.reason)")
      #expect(finding.standing.counts, "\(time): \(finding.standing)")
    }
    for time in ["\(last) hours ago", "\(last + 1) hours ago", "\(last / 24) days ago"] {
      let finding = try level(time)
      #expect(finding.judgement.level == after, "\(time): \(finding.judgement.reason)")
      #expect((finding.judgement.downgrade != nil) == (after < own))
      #expect(after == own || finding.judgement.reason.contains("no signs"), "\(finding.judgement.reason)")
    }
  }

  static let reassuring = [
    "He's fine in himself.", "She is eating and drinking normally.", "Bouncing about as if nothing happened.",
    "Seems completely well so far.", "No vomiting, no wobbles.", "Back to normal now.", "He has been fine since.",
    "Bright, alert and wagging.", "It's probably nothing.", "Not worried, just checking.", "When could we book him in?",
    "No rush, whenever suits.", "He had his dinner and a bit of chicken.", "Acting normal, been for a walk.",
    "He had his booster three weeks ago.",
  ]

  @Test(arguments: ToxinRow.all)
  func `no reassurance changes a finding`(row: ToxinRow) throws {
    let alone = try #require(try row.finding(row.example))
    // Each phrase in one of four places, another for the next row: the whole grid is a matter of `make acceptance`.
    let offset = row.toxin.id.utf8.count
    for (index, phrase) in Self.reassuring.enumerated() {
      let texts = [
        "\(phrase) \(row.example)", "\(row.example). \(phrase)", "\(row.example), \(phrase)",
        "\(row.example) but \(phrase)",
      ]
      let text = texts[(index + offset) % texts.count]
      let finding = try #require(try row.finding(text), "\(text)")
      let (judged, own) = (finding.judgement, alone.judgement)
      #expect(judged.level == own.level, "\(text): \(judged.reason), \(own.reason)")
      #expect(finding.standing.counts == alone.standing.counts, "\(text): \(finding.standing)")
    }
  }
}
