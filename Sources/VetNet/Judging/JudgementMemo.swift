import Assessment
import Briefing
import Clinical
import Scheduling
import Store

/// What planning needs of a case.
struct JudgedCase: Sendable {
  let urgency: Urgency
  let visitType: VisitType
  let specialty: Specialty?
  let duration: DurationEstimate

  init(_ assessment: CaseAssessment) {
    urgency = assessment.triage.urgency
    visitType = assessment.visitType.visitType
    specialty = assessment.specialties.first?.specialty
    duration = assessment.duration
  }

  /// The predicted length as the scheduler takes it.
  var predictedDuration: PredictedDuration { PredictedDuration(p50: duration.p50, sigma: duration.sigma) }
}

/// What the whole practice file says that may bear on a judgement.
struct JudgementGround: Hashable {
  let records: RecordState
  /// Which learner of lengths it was; see ``TaughtDurations``.
  let learner: Int
}

/// What a judgement was made of.
struct JudgementBasis {
  let ground: JudgementGround
  let patient: PatientState?
  let at: Timestamp
  let constancy: Constancy
  /// Whether other patients' records bear on it too, so that any change is one of it.
  let restsOnAll: Bool

  func holds(at now: Timestamp) -> Bool { at == now || constancy.holds(at: now) }
}

/// Judgements and briefs that were made before, for as long as nothing they rest on has changed: the words, the patient's record,
/// the index, what was learned of lengths, and the time as far as it matters.
///
/// Nobody has to say that something changed: each is compared with the file, which others may have written meanwhile. Bounded; what
/// was not used for longest goes first.
final class JudgementMemo {
  /// What is judged, beside the record.
  struct CaseKey: Hashable {
    let intake: Intake
    let clinicianID: String?
    let booked: VisitType?
    let zone: String
  }

  struct BriefKey: Hashable {
    let patientID: String
    let appointment: Appointment?
    let zone: String
  }

  struct RiskKey: Hashable {
    let visits: [RiskVisit]
    let resources: [Resource]
    let seed: UInt64
  }

  struct Kept<Value> {
    let value: Value
    var basis: JudgementBasis
  }

  /// Whether anything is kept; off where each answer has to be made anew.
  var isOn = true
  var cases = Shelf<CaseKey, Kept<JudgedCase>>(capacity: 4096)
  var briefs = Shelf<BriefKey, Kept<Brief>>(capacity: 256)
  /// How many cases had to be judged.
  var madeCases = 0
  /// Who sees each patient as a rule, as of one state of the file.
  var usual: (records: RecordState, vets: Set<String>, byPatient: [String: String?])?
  /// Patients by whom each is mistaken for another, as of one state of the file.
  var lookalikes: (records: RecordState, byPatient: [String: [Patient]])?
  /// A function of its key alone.
  var risks = Shelf<RiskKey, DayRisk>(capacity: 32)
  /// The latest moment of an indexed note, and the state in which it was looked for.
  private var lastMoment: (records: RecordState, moment: Timestamp?)?
  /// What the open transaction sees; see ``Connection/transactionNumber``.
  private var seen: (transaction: UInt64, records: RecordState, learning: LearningState)?

  /// What the open transaction sees of the file.
  func state(_ connection: Connection, learningKey: String) throws -> (records: RecordState, learning: LearningState) {
    if let seen, seen.transaction == connection.transactionNumber, connection.isInTransaction, !connection.isWriting {
      return (seen.records, seen.learning)
    }
    let state = (try connection.recordState(), try connection.learningState(key: learningKey))
    seen = (connection.transactionNumber, state.0, state.1)
    return state
  }

  /// Whether every indexed note is of an earlier time, so that which of them exist yet does not depend on it.
  func allIndexed(before now: Timestamp, _ records: RecordState, _ connection: Connection) throws -> Bool {
    if lastMoment?.records != records {
      lastMoment = (records, try records.generation.flatMap { try connection.lastIndexedMoment(generation: $0) })
    }
    return lastMoment?.moment.map { $0 < now } ?? true
  }
}

/// Values by key, of which only those used last are kept.
struct Shelf<Key: Hashable, Value> {
  private var values: [Key: (value: Value, used: UInt64)] = [:]
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { values.count }

  subscript(key: Key) -> Value? {
    mutating get {
      guard let place = values.index(forKey: key) else { return nil }
      clock += 1
      values.values[place].used = clock
      return values.values[place].value
    }
    set {
      clock += 1
      values[key] = newValue.map { ($0, clock) }
      guard values.count > capacity else { return }
      // A quarter at once, so that sorting them is paid for rarely.
      for (old, _) in values.sorted(by: { $0.value.used < $1.value.used }).prefix(max(1, capacity / 4)) {
        values[old] = nil
      }
    }
  }
}
