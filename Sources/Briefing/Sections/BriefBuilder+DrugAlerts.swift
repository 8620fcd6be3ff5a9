import Chart
import Clinical
import Extraction
import Formulary

/// The drugs that a visit has to reckon with: given on and on, given lately, put on the skin, named in a message.
struct DrugUses {
  struct Use {
    let use: DrugUse
    let place: Place
    /// `given`, or `named` where somebody only speaks of it.
    let isGiven: Bool
    /// In several notes: what is given so long has to be watched.
    let isLasting: Bool

    var drug: Formulary.Drug { use.drug }
  }

  /// Each drug once, the surest use of it.
  private(set) var all: [Use] = []

  /// For so long one injection still counts.
  private static let injectionDays = 7
  /// Tablets and drops against parasites act for up to three months.
  private static let parasiteDays = 92
  private static let notGiven = TreatmentAction.ends + [.due, .overdue]

  /// - Parameters:
  ///   - record: what is on file.
  ///   - chart: made of it.
  ///   - context: what came in, and when.
  ///   - formulary: which names are drugs.
  ///   - namedFirst: whether what is named today stands before what the record tells of the same drug.
  init(
    _ record: PatientRecord, _ chart: PatientChart, _ context: BriefContext, formulary: Formulary,
    namedFirst: Bool = false
  ) {
    var seen: Set<String> = []
    func add(_ fact: Fact, _ place: Place, isGiven: Bool, isLasting: Bool = false) {
      guard let drug = Self.drug(fact, formulary), seen.insert(drug.id).inserted else { return }
      let use = DrugUse(drug, route: fact.dosage?.route)
      all.append(Use(use: use, place: place, isGiven: isGiven, isLasting: isLasting))
    }
    // "May I give her ibuprofen?" is worth an answer before it is given.
    func addNamed() {
      for text in context.visit.presented {
        for fact in text.facts where fact.kind == .drug || fact.kind == .parasiteControl {
          guard fact.assertion.experiencer == .patient, fact.assertion.polarity != .absent else { continue }
          add(fact, .presented(text, fact.range), isGiven: false)
        }
      }
    }
    if namedFirst { addNamed() }
    for entry in chart.drugs.current(at: context.now) {
      let item = entry.regimen ?? entry.latest
      add(item.fact, .note(item), isGiven: true, isLasting: entry.noteCount > 1)
    }
    let injected = context.now.adding(days: -Self.injectionDays)
    let treated = context.now.adding(days: -Self.parasiteDays)
    for item in record.recordedFacts([.drug, .parasiteControl]).reversed() where item.fact.assertion.isActive {
      guard !item.fact.hasAction(in: Self.notGiven) else { continue }
      let since = item.fact.kind == .drug ? injected : treated
      if item.note.recordedAt >= since { add(item.fact, .note(item), isGiven: true) }
    }
    if !namedFirst { addNamed() }
  }

  private static func drug(_ fact: Fact, _ formulary: Formulary) -> Formulary.Drug? {
    fact.drugEvent?.drugID.flatMap { formulary.drug(id: $0) } ?? formulary.drug(generic: fact.name)
  }
}

/// What speaks against a drug, before it is a line.
struct DrugAlert {
  /// `toxic`, `avoid`, `caution`, or `reaction`.
  let kind: String
  let rank: Int
  let text: String
  let places: [Place]
  let references: [SourceReference]

  func line(_ desk: inout BriefDesk) -> Brief.Line? {
    let cited = Citing(places)
    return desk.line(text, cited.items, references: cited.references + references)
  }
}

/// Places sorted into what a line cites.
struct Citing {
  var items: [RecordedFact] = []
  var references: [SourceReference] = []
  /// The words that came in, in quotation marks.
  var quotes: [String] = []

  init(_ places: [Place]) {
    for place in places {
      switch place {
      case .note(let item): items.append(item)
      case .presented(let text, let range):
        if !references.contains(text.reference) { references.append(text.reference) }
        guard let words = text.text.slice(utf8: range) else { continue }
        let quote = "“\(words.split(whereSeparator: \.isWhitespace).joined(separator: " "))”"
        if !quotes.contains(quote) { quotes.append(quote) }
      case .registration: break
      }
    }
  }
}

extension BriefBuilder {
  private static let drugAlertLimit = 5

  /// What the formulary says against the drugs, worst first: at most a handful, since many alerts are none.
  func drugAlerts(
    _ uses: DrugUses, _ picture: ClinicalPicture, _ record: PatientRecord, _ context: BriefContext
  ) -> [DrugAlert] {
    let alerts =
      reactionAlerts(uses, record) + speciesAlerts(uses, picture, record.patient) + interactionAlerts(uses, picture)
      + diseaseAlerts(uses, picture)
    return Array(
      alerts.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }.map(\.element)
        .prefix(Self.drugAlertLimit))
  }

  private static func rank(_ level: CautionLevel) -> Int {
    switch level {
    case .toxic: 5
    case .avoid: 3
    case .caution: 2
    case .monitor: 1
    }
  }

  /// A drug, or one related to it, that was not tolerated.
  private func reactionAlerts(_ uses: DrugUses, _ record: PatientRecord) -> [DrugAlert] {
    var alerts: [DrugAlert] = []
    var seen: Set<String> = []
    for item in record.recordedFacts([.allergy]).reversed() where item.fact.assertion.isActiveOrPast {
      guard let reacted = knowledge.formulary.drug(generic: item.fact.name), seen.insert(reacted.id).inserted else {
        continue
      }
      for use in uses.all {
        // What was stopped because of it is told by the caution itself, unless it is given again.
        if use.drug.id == reacted.id {
          guard case .note(let given) = use.place, given.note.recordedAt > item.note.recordedAt else {
            if case .presented = use.place {
              alerts.append(reaction(use, reacted, item, "on file as not tolerated", []))
            }
            continue
          }
          alerts.append(reaction(use, reacted, item, "on file as not tolerated", []))
        } else if let row = knowledge.formulary.crossReaction(of: use.drug, afterReactionTo: reacted) {
          alerts.append(reaction(use, reacted, item, row.text, [row.reference]))
        }
      }
    }
    return alerts
  }

  private func reaction(
    _ use: DrugUses.Use, _ reacted: Formulary.Drug, _ item: RecordedFact, _ text: String,
    _ references: [SourceReference]
  ) -> DrugAlert {
    DrugAlert(
      kind: "reaction", rank: 4,
      text: "REACTION on file to \(reacted.generic); \(named(use)): \(text)",
      places: [.note(item), use.place], references: references)
  }

  private func speciesAlerts(_ uses: DrugUses, _ picture: ClinicalPicture, _ patient: Patient) -> [DrugAlert] {
    uses.all.compactMap { use in
      guard !use.use.isLocal else { return nil }
      // A caution for every cat on every NSAID is noise; one for the breed or the age is not.
      let rows = knowledge.formulary.cautions(
        of: use.drug, in: patient.species, breed: patient.breed, months: picture.months
      ).filter { $0.level > .caution || !$0.breeds.isEmpty || $0.monthsBelow != nil }
      guard let row = rows.first else { return nil }
      return DrugAlert(
        kind: row.level.rawValue, rank: Self.rank(row.level),
        text: "\(row.level.rawValue.uppercased()) \(named(use)) in a \(patient.species.rawValue): \(row.text)",
        places: [use.place], references: [row.reference])
    }
  }

  private func interactionAlerts(_ uses: DrugUses, _ picture: ClinicalPicture) -> [DrugAlert] {
    knowledge.formulary.interactions(among: uses.all.map(\.use), in: picture.species).compactMap { hit in
      guard hit.interaction.level > .monitor else { return nil }
      let taking = hit.uses.map { uses.all[$0] }
      let level = hit.interaction.level
      return DrugAlert(
        kind: level.rawValue, rank: Self.rank(level),
        text:
          "\(level.rawValue.uppercased()) \(taking.map(named).joined(separator: " + ")): \(hit.interaction.effect); "
          + hit.interaction.advice,
        places: taking.map(\.place), references: [hit.interaction.reference])
    }
  }

  private func diseaseAlerts(_ uses: DrugUses, _ picture: ClinicalPicture) -> [DrugAlert] {
    let names = Set((picture.presenting + picture.context).map(\.name))
    return uses.all.compactMap { use in
      let rows = knowledge.formulary.cautions(of: use.use, with: names, in: picture.species)
      guard let row = rows.first, let problem = row.problems.first(where: names.contains),
        let place = picture.place(of: problem)
      else { return nil }
      return DrugAlert(
        kind: row.level.rawValue, rank: Self.rank(row.level),
        text: "\(row.level.rawValue.uppercased()) \(named(use)) with \(problem): \(row.text)",
        places: [use.place, place], references: [row.reference])
    }
  }

  /// `carprofen`, or `ibuprofen (“may I give her ibuprofen”)` where it is only spoken of.
  private func named(_ use: DrugUses.Use) -> String {
    guard !use.isGiven, let quote = Citing([use.place]).quotes.first else { return use.drug.generic }
    return "\(use.drug.generic), named today (\(quote))"
  }
}
