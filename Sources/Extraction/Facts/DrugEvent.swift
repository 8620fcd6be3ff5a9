/// What a note records about a drug, a vaccine or a parasite treatment.
public struct DrugEvent: Hashable, Sendable {
  /// The drug's row in the formulary; nil where only a kind of protection is named ("wormed").
  public var drugID: String?
  /// The brand, where the note names it by one.
  public var brand: String?
  /// What one tablet or millilitre holds.
  public var strength: WrittenAmount?
  /// How many were handed out.
  public var quantity: Int?
  public var action: TreatmentAction?
  public var dosage = Dosage()

  public init(drugID: String? = nil, brand: String? = nil, action: TreatmentAction? = nil) {
    self.drugID = drugID
    self.brand = brand
    self.action = action
  }
}

/// How much of a drug is given each time, how often, by which route and for how long, as far as a note tells.
public struct Dosage: Hashable, Sendable {
  /// What is given each time.
  public var dose: WrittenAmount?
  /// The same in VetNet's unit; nil for a number without a unit.
  public var amount: Amount?
  /// By weight or by time: "0.1 mg/kg", "2 ml/kg/h".
  public var rate: WrittenAmount?
  public var frequency: Frequency?
  public var route: DrugRoute?
  /// The eye or ear that it goes into.
  public var side: Laterality?
  public var duration: WrittenDuration?

  public init() {}
}

/// What was done with a drug, a vaccine or a parasite treatment, or has to be.
public enum TreatmentAction: String, CaseIterable, Sendable {
  case started, stopped, changed, continued, dispensed, given, declined
  case notGiven = "not given"
  /// Of vaccines and parasite treatments: it has to be given, or had to be.
  case due, overdue

  /// What leaves an animal without it: stopped, declined, not given.
  public static let ends: [TreatmentAction] = [.stopped, .declined, .notGiven]
  /// What was done with it, rather than said of it.
  public static let done: [TreatmentAction] = [.started, .stopped, .changed, .continued, .dispensed, .given]
}

/// How a drug is given.
public enum DrugRoute: String, CaseIterable, Sendable {
  case oral = "PO"
  case subcutaneous = "SC"
  case intramuscular = "IM"
  case intravenous = "IV"
  /// On the skin.
  case topical
  case ear, eye, rectal, inhaled, intranasal, intraosseous
  /// At a constant rate into a vein.
  case infusion = "CRI"
  case epidural
  case intraArticular = "intra-articular"

  /// By needle: one of them is one injection, unless a frequency says otherwise.
  public var isParenteral: Bool {
    switch self {
    case .subcutaneous, .intramuscular, .intravenous, .infusion, .epidural, .intraosseous, .intraArticular: true
    case .oral, .topical, .ear, .eye, .rectal, .inhaled, .intranasal: false
    }
  }
}

/// How often a drug is given; the words for each stand in `fact-context.tsv`.
public enum Frequency: String, CaseIterable, Sendable {
  case every4Hours = "q4h"
  case every6Hours = "q6h"
  case every8Hours = "q8h"
  case every12Hours = "q12h"
  case every24Hours = "q24h"
  case every48Hours = "q48h"
  case every72Hours = "q72h"
  case every6To8Hours = "q6-8h"
  case every8To12Hours = "q8-12h"
  case every12To24Hours = "q12-24h"
  case threeTimesWeekly = "three times weekly"
  case twiceWeekly = "twice weekly"
  case weekly
  case every2Weeks = "every 2 weeks"
  case monthly
  case every3Months = "every 3 months"
  case asNeeded = "as needed"
  case once

  /// Nil for spans, for what is given as needed and for what is given once.
  public var timesPerDay: Double? {
    switch self {
    case .every4Hours: 6
    case .every6Hours: 4
    case .every8Hours: 3
    case .every12Hours: 2
    case .every24Hours: 1
    case .every48Hours: 0.5
    case .every72Hours: 24.0 / 72
    case .threeTimesWeekly: 3.0 / 7
    case .twiceWeekly: 2.0 / 7
    case .weekly: 1.0 / 7
    case .every2Weeks: 1.0 / 14
    case .monthly: 1.0 / 28
    case .every3Months: 1.0 / 84
    case .every6To8Hours, .every8To12Hours, .every12To24Hours, .asNeeded, .once: nil
    }
  }
}

/// Of what an animal has two of.
public enum Laterality: String, CaseIterable, Sendable {
  case left, right, both
}

/// What protects against infections and parasites: given, declined, due or overdue.
public struct Prevention: Hashable, Sendable {
  /// What was given and what was done with it.
  public var event: DrugEvent
  /// When it is due, as written: which day that is depends on the day of the note.
  public var due: String?

  public init(event: DrugEvent = DrugEvent(), due: String? = nil) {
    self.event = event
    self.due = due
  }
}
