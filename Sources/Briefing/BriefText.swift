public import Clinical

/// A brief for a terminal: one screen, citations as note ids behind each line.
public struct BriefText: Sendable {
  private let zone: PracticeTimeZone
  private let width: Int

  public init(zone: PracticeTimeZone, width: Int) {
    self.zone = zone
    self.width = width
  }

  public func lines(_ brief: Brief) -> [String] {
    var lines = [BriefHeading.title(brief, zone: zone), String(repeating: "─", count: min(width, 78))]
    lines.append(BriefHeading.signalment(brief, zone: zone))
    for section in brief.sections {
      let mark = section.kind == .suggestion ? " (suggestion, to be confirmed)" : ""
      lines.append("\(section.title)\(mark)")
      for line in section.lines { lines += wrap(line.text + BriefHeading.sources(line, brief)) }
    }
    return lines
  }

  private func wrap(_ text: String) -> [String] {
    var lines: [String] = []
    var current = "  •"
    for word in text.split(separator: " ") {
      if current.count + 1 + word.count > width, current.count > 4 {
        lines.append(current)
        current = "   "
      }
      current += " " + word
    }
    lines.append(current)
    return lines
  }
}

/// What every format of a brief begins with.
enum BriefHeading {
  static func title(_ brief: Brief, zone: PracticeTimeZone) -> String {
    guard let appointment = brief.appointment else { return "\(brief.patient.name) (\(brief.patient.id))" }
    let clinician = appointment.clinicianID.map { " with \($0)" } ?? ""
    return
      "\(zone.date(of: appointment.start)) \(zone.clock(appointment.start)) · \(brief.patient.name) (\(brief.patient.id))\(clinician), \(appointment.durationMinutes) min"
      + (appointment.visitType.map { ", \($0.rawValue)" } ?? "")
  }

  static func signalment(_ brief: Brief, zone: PracticeTimeZone) -> String {
    let patient = brief.patient
    var parts = [patient.species.rawValue]
    if let breed = patient.breed { parts.append(breed) }
    parts.append(patient.sex == .unknown ? "sex unknown" : patient.sex.rawValue)
    if let days = patient.ageInDays(on: zone.date(of: brief.preparedAt)) {
      parts.append(
        days < 112 ? "\(days / 7) weeks" : days < 730 ? "\(days * 12 / 365) months" : "\(days * 4 / 1461) years")
    } else {
      parts.append("age unknown")
    }
    if let owner = patient.ownerName { parts.append("owner \(owner)") }
    return parts.joined(separator: ", ")
  }

  /// ` [N0042, N0051]`
  static func sources(_ line: Brief.Line, _ brief: Brief) -> String {
    var ids: [String] = []
    for index in line.citations where !ids.contains(brief.citations[index].noteID) {
      ids.append(brief.citations[index].noteID)
    }
    return ids.isEmpty ? "" : " [\(ids.joined(separator: ", "))]"
  }
}
