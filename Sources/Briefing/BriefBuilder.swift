public import Chart
public import Clinical
public import Extraction
public import Formulary
public import TextAnalysis

/// The word lists of briefs, from `Models/briefing`.
public struct BriefLexicon: Sendable {
  package let alerts: AlertLexicon
  let prevention: PreventionGroups
  package let plans: PlanCues
  let opposites: StateOpposites

  /// - Throws: ``DataTableError`` naming the row that can't be understood.
  public init(
    alerts: DataTable, preventionGroups: DataTable, planCues: DataTable, opposites: DataTable, classes: DataTable
  ) throws(DataTableError) {
    self.alerts = try AlertLexicon(table: alerts, classes: classes)
    prevention = try PreventionGroups(table: preventionGroups)
    plans = try PlanCues(table: planCues)
    self.opposites = StateOpposites(table: opposites, classes: classes)
  }
}

/// What briefs know beside word lists: drugs, differentials, and what makes a case risky.
public struct BriefKnowledge: Sendable {
  public let formulary: Formulary
  let differentials: DifferentialTable
  let risk: RiskTable
  let targets: PlanTargets
  let signs: TriageSigns
  let household: HouseholdTable

  public init(
    formulary: Formulary, differentials: DifferentialTable, risk: RiskTable, planTargets: PlanTargets,
    triageSigns: TriageSigns, household: HouseholdTable = HouseholdTable()
  ) {
    self.household = household
    signs = triageSigns
    self.formulary = formulary
    self.differentials = differentials
    self.risk = risk
    targets = planTargets
  }
}

/// Builds briefs from a patient's record.
///
/// Chart lines are the notes' own words with their date, or numbers read from cited words. What no note says of this patient,
/// or says only to deny it, is not there; what is missing and worth asking stands among the suggestions.
public struct BriefBuilder: Sendable {
  let sections: SectionSplitter
  let sentences: SentenceSplitter
  let classifier: AssertionClassifier
  let lexicon: BriefLexicon
  let knowledge: BriefKnowledge

  public init(
    sections: SectionSplitter, sentences: SentenceSplitter, classifier: AssertionClassifier, lexicon: BriefLexicon,
    knowledge: BriefKnowledge
  ) {
    self.knowledge = knowledge
    self.sections = sections
    self.sentences = sentences
    self.classifier = classifier
    self.lexicon = lexicon
  }

  /// The brief of a patient whose record is given as of `context.now`; nil for a patient that has died.
  ///
  /// - Complexity: linear in the length of the record.
  public func brief(_ record: PatientRecord, _ context: BriefContext) -> Brief? {
    guard record.patient.deceasedAt == nil else { return nil }
    let outlines = record.notes.map { NoteOutline($0, sections: sections, splitter: sentences) }
    var desk = BriefDesk(outlines: outlines, zone: context.zone)
    let chart = PatientChart(record, protections: lexicon.prevention)
    let weights = WeightTrend(record, zone: context.zone)
    var parts: [Brief.Section] = []
    func add(_ title: String, _ kind: Brief.Section.Kind, _ lines: [Brief.Line]) {
      if !lines.isEmpty { parts.append(Brief.Section(title, kind, lines)) }
    }
    let uses = DrugUses(record, chart, context, formulary: knowledge.formulary)
    let picture = picture(record, chart.problems, uses, context)
    let found = DifferentialFinder(table: knowledge.differentials).differentials(of: picture)
    let drugAlerts = drugAlerts(uses, picture, record, context)
    let last = LastEntries(outlines, cues: lexicon.plans)
    let followUp = PlanFollowUp(
      last, record, chart.investigations, outlines, targets: knowledge.targets, cues: lexicon.plans)

    add("Why today", .registration, reasonLines(context))
    add("Identity", .registration, identityLines(context, record.patient))
    add(
      "Alerts", .chart,
      alertLines(record, chart, context, &desk) + drugAlerts.compactMap { $0.line(&desk) }
        + conflictLines(record, chart, context, &desk))
    add("Weight", .chart, [desk.line(weights.text, weights.shown.map(\.item))].compactMap { $0 })
    add("Problems", .chart, problemLines(chart.problems, context, &desk))
    add("Drugs", .chart, drugLines(record, chart, context, &desk))
    add("Prevention", .chart, preventionLines(chart.prevention, of: record.patient.species, context, &desk))
    add("Results", .chart, resultLines(record, wanted: followUp.open.map(\.name) + askedTests(context), context, &desk))
    add("Pending", .chart, pendingLines(chart.investigations, context, &desk))
    add("Last plan", .chart, planLines(last, followUp, context, &desk))
    add("Since then", .chart, sinceLines(last, record, &desk))
    add("Before", .chart, episodeLines(picture, chart.problems, record, context, &desk))
    add("Owner", .chart, ownerLines(record, context, &desk))
    add("Household", .chart, householdLines(record, outlines, context, &desk))
    add("Assessment", .suggestion, assessmentLines(context))
    let summary = summaryLines(found, picture, drugAlerts, context, &desk)
    add("Summary", .suggestion, summary.lines)
    add("Similar", .suggestion, context.visit.similar.compactMap { desk.line($0.text, $0.note, $0.range) })
    add("To check", .suggestion, checkLines(record, chart, weights, followUp, uses, context, &desk))
    let trends = trends(record, weights, context, &desk)
    var brief = Brief(
      patient: record.patient, appointment: context.visit.appointment,
      clinicianName: context.visit.appointment?.clinicianID.flatMap { context.staffNames[$0] }, preparedAt: context.now,
      sections: parts, citations: desk.citations, assessment: context.visit.assessment)
    brief.trends = trends
    brief.risk = summary.risk
    brief.formularyVersion = context.formularyVersion
    return brief
  }
}
