public import Clinical
public import VetNet

/// Makes synthetic practices of any size: owners, animals with lives of illnesses, notes, a diary with plausible lengths.
///
/// Each patient is made from the seed and its number alone, so a practice of any size takes the memory of one patient, and the
/// first hundred patients are the same whatever the size. The text is good for measuring speed and size, and for nothing that is
/// said about quality: real notes are in nobody's tables.
public struct PracticeSimulator: Sendable {
  /// How a practice is to be.
  public struct Configuration: Sendable {
    public var patients: Int
    public var seed: UInt64
    /// Notes that a patient has on average over its years.
    public var notesPerPatient: Double
    /// The last day of the record; the diary goes on for two weeks.
    public var until: CalendarDate

    public init(patients: Int, seed: UInt64, notesPerPatient: Double = 20, until: CalendarDate) {
      self.patients = patients
      self.seed = seed
      self.notesPerPatient = notesPerPatient
      self.until = until
    }
  }

  /// A patient's share of a practice's visits that lie in the days ahead.
  private static let bookedShare = 0.02
  private static let patientsPerClinician = 1500

  let configuration: Configuration
  let lexicon: SimulationLexicon
  let staff: [StaffMember]

  /// - Throws: ``PracticeError`` when a table is missing or can't be used.
  public init(_ configuration: Configuration, models: ModelDirectory) throws {
    self.configuration = configuration
    do {
      lexicon = try SimulationLexicon(models: models)
    } catch let error as DataTableError {
      throw PracticeError(.models, "Models/\(error)")
    }
    let count = min(40, max(3, configuration.patients / Self.patientsPerClinician))
    let names = lexicon.names["staff"] ?? []
    staff = (0..<count).map { index in
      let isNurse = index % 3 == 2
      return StaffMember(
        id: "S\(index + 1)",
        name: (isNurse ? "" : "Dr ") + (names.isEmpty ? "Staff" : names[index % names.count])
          + (index < names.count ? "" : " \(index / names.count + 1)"),
        role: isNurse ? .nurse : .veterinarian, skills: ["general practice": 0.8, "emergency": isNurse ? 0.3 : 0.7],
        workingHours: (1...5).map { .init(weekday: $0, minutes: 540..<1050) },
        breaks: (1...5).map { .init(weekday: $0, window: 720..<840, minutes: 45) })
    }
  }

  /// Writes the whole practice as files of the import format.
  ///
  /// - Parameters:
  ///   - writer: where to.
  ///   - progress: called with the patients written so far.
  /// - Returns: how many notes and appointments there are.
  /// - Throws: ``PracticeError`` when the system fails to write.
  public func write(
    to writer: PracticeRecordsWriter, progress: (Int) -> Void
  ) throws -> (notes: Int, appointments: Int) {
    var first = PracticeRecords()
    first.staff = staff
    let rooms = max(2, staff.count)
    first.resources =
      (1...rooms).map { Resource(id: "R\($0)", name: "Consulting room \($0)", kind: "room", cleaningMinutes: 5) }
      + [Resource(id: "TH1", name: "Theatre", kind: "theatre", cleaningMinutes: 20)]
    try writer.write(first)
    var (notes, appointments) = (0, 0)
    var diary = FreeSlots(staff: staff, from: configuration.until.adding(days: 1), days: 14)
    for number in 0..<configuration.patients {
      var records = patient(number)
      notes += records.notes.count
      if let next = booking(number, records.patients[0], &diary) { records.appointments.append(next) }
      appointments += records.appointments.count
      try writer.write(records)
      if number % 64 == 0 { progress(number) }
    }
    try writer.finish()
    return (notes, appointments)
  }

  /// One patient with owner, notes and past visits; the same number and seed give the same patient.
  public func patient(_ number: Int) -> PracticeRecords {
    var generator = generator(number, stream: 1)
    var life = SyntheticLife(self, number: number, using: &generator)
    return life.records(using: &generator)
  }

  /// Chance for one patient. Of seeds next to each other SplitMix64 gives the same numbers one step later; its output as seed
  /// doesn't.
  func generator(_ number: Int, stream: UInt64) -> SplitMix64 {
    var seeds = SplitMix64(seed: configuration.seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95 ^ stream << 56)
    return SplitMix64(seed: seeds.next())
  }

  private func booking(_ number: Int, _ patient: Patient, _ diary: inout FreeSlots) -> Appointment? {
    var generator = generator(number, stream: 2)
    guard patient.deceasedAt == nil, Double.random(in: 0..<1, using: &generator) < Self.bookedShare,
      let slot = diary.next()
    else { return nil }
    let isNurse = staff[slot.clinician].role == .nurse
    return Appointment(
      id: "A\(number)-next", patientID: patient.id, clinicianID: staff[slot.clinician].id,
      resourceIDs: ["R\(slot.clinician + 1)"], start: slot.start, durationMinutes: FreeSlots.minutes,
      visitType: isNurse ? .nurseClinic : .recheck, reason: "\(patient.name), see last note", status: .booked)
  }
}

/// Slots of the days ahead, each given once.
struct FreeSlots {
  static let minutes = 20
  private let staff: [StaffMember]
  private let days: [CalendarDate]
  private var given = 0

  init(staff: [StaffMember], from day: CalendarDate, days: Int) {
    self.staff = staff
    self.days = (0..<days).map { day.adding(days: $0) }.filter { $0.weekday <= 5 }
  }

  /// The next slot, with cleaning time after it and the middle of the day left free; nil when the days are full.
  mutating func next() -> (clinician: Int, start: Timestamp)? {
    // 9:00 to 12:00 and 14:00 to 17:00, every half hour.
    let perDay = 12 * staff.count
    guard given < perDay * days.count else { return nil }
    let (day, rest) = given.quotientAndRemainder(dividingBy: perDay)
    let (half, clinician) = rest.quotientAndRemainder(dividingBy: staff.count)
    given += 1
    let minute = (half < 6 ? 540 : 840 - 180) + half * 30
    return (clinician, PracticeTimeZone.utc.interval(of: days[day]).lowerBound.adding(minutes: minute))
  }
}
