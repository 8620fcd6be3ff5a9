import Answering
import Clinical
import Store

extension Practice.Answers {
  /// Appointments that an answer names.
  private static let diaryLimit = 3

  /// When a patient comes in next, from the appointment book; nil where the question asks something else.
  func answerFromDiary(_ text: String, about patient: Stored<Patient>, askedAt: Timestamp) throws -> Answer? {
    let names = [patient.value.name, patient.value.ownerName, patient.value.id].compactMap { $0 }
    guard DiaryQuestion(text, names: names, classes: try models.questionClasses()) != nil else { return nil }
    let ahead = try connection.appointments.appointments(patient: patient.rowID).map(\.value).filter {
      $0.start >= askedAt && Self.pending.contains($0.status)
    }.prefix(Self.diaryLimit)
    let explanation = Explanation("appointments ahead", value: Double(ahead.count))
    guard !ahead.isEmpty else {
      return Answer(
        .notRecorded, text: "Nothing is booked for \(patient.value.name) in the appointment book.",
        explanation: explanation)
    }
    let staff = Dictionary(
      try connection.staff.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
    let sentences = ahead.map { appointment in
      let clinician = appointment.clinicianID.map { " with \(staff[$0] ?? $0)" } ?? ""
      let state = appointment.status == .requested ? ", asked for but not booked" : ""
      let reason = appointment.reason.map { ": \($0)" } ?? ""
      let start = timeZone.iso8601(appointment.start).prefix(16).split(separator: "T").joined(separator: " ")
      return CitedSentence(
        text: "\(start)\(clinician)\(state)\(reason) (appointment \(appointment.id)).", citations: [],
        sources: [SourceReference(.appointment, appointment.id)])
    }
    return Answer(
      .found, text: sentences.map(\.text).joined(separator: " "), sentences: sentences, explanation: explanation)
  }

  private static let pending: Set<Appointment.Status> = [.requested, .booked, .arrived]
}
