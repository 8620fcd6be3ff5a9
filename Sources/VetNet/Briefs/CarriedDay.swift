public import Briefing
import Chart
public import Clinical
public import Formulary
import Store

/// What is taken along of a day.
public struct CarriedDay: Sendable {
  /// What is needed of a patient on its day.
  public struct Patient: Sendable {
    public let overview: PatientOverview
    /// Nil for whoever may not read the record, and for a patient that has died.
    public let brief: Brief?
    /// The latest, the newest first.
    public let notes: [ClinicalNote]
    /// What the formulary holds on each drug that it gets.
    public let drugs: [DrugSheet]
  }

  public let schedule: DaySchedule
  /// In the order in which they come, each once.
  public let patients: [Patient]
  /// Those beyond ``TakeAlongDay/mostPatients``, by id.
  public let leftOut: [String]
}

extension Practice.Briefs {
  /// - Parameters:
  ///   - date: the day.
  ///   - withRecords: whether briefs, notes and drugs are wanted.
  ///   - now: the present moment.
  /// - Returns: the day; a patient's last notes are those that are what was written.
  /// - Throws: ``PracticeError`` when the file can't be read.
  package func carriedDay(_ date: CalendarDate, withRecords: Bool, now: Timestamp) throws -> CarriedDay {
    try reading {
      let schedule = try practice.reception.schedule(on: date, clinicianID: nil, now: now)
      var ids: [String] = []
      for entry in schedule.entries where entry.appointment.status != .cancelled {
        if let id = entry.patient?.id, !ids.contains(id) { ids.append(id) }
      }
      let patients = try ids.prefix(TakeAlongDay.mostPatients).map { id in
        let visit = schedule.entries.first { $0.patient?.id == id && $0.appointment.status != .cancelled }
        return try carried(id, visit: visit?.appointment.id, withRecords: withRecords, now: now)
      }
      return CarriedDay(
        schedule: schedule, patients: patients, leftOut: Array(ids.dropFirst(TakeAlongDay.mostPatients)))
    }
  }

  private func carried(
    _ id: String, visit: String?, withRecords: Bool, now: Timestamp
  ) throws -> CarriedDay.Patient {
    let overview = try practice.records.overview(of: id, now: now)
    guard withRecords else { return CarriedDay.Patient(overview: overview, brief: nil, notes: [], drugs: []) }
    let isAlive = overview.patient.deceasedAt == nil
    let brief = try isAlive ? visit.map { try self.brief(forAppointment: $0, now: now) } : nil
    let row = try practice.records.stored(patient: id).rowID
    // What is not what was written is quoted nowhere.
    let altered = try practice.integrity.alteredNotes(of: row)
    let notes = try connection.notes.notes(patient: row).filter { !altered.contains($0.rowID) }
      .suffix(TakeAlongDay.notes).reversed().map(\.value)
    let drugs = isAlive ? try sheets(of: chart(of: id, now: now), now: now) : []
    return CarriedDay.Patient(overview: overview, brief: brief, notes: Array(notes), drugs: drugs)
  }

  private func sheets(of charted: ChartedPatient, now: Timestamp) throws -> [DrugSheet] {
    let formulary = try models.formulary()
    var seen: Set<String> = []
    return charted.chart.drugs.current(at: now).flatMap { course -> [DrugSheet] in
      guard case .drugs(let drugs) = formulary.match(course.drug) else { return [] }
      return drugs.filter { seen.insert($0.id).inserted }.map {
        DrugSheet($0, in: formulary, species: charted.patient.species)
      }
    }
  }
}
