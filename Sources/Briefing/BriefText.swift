public import Clinical

/// A brief for a terminal: one screen, titles in a column of their own, citations as note ids behind each line.
public struct BriefText: Sendable {
  private let zone: PracticeTimeZone
  private let width: Int

  /// Room for the longest title and the space after it.
  private static let titleWidth = 12
  /// Narrower than this a line holds no sentence; longer lines are then left to the terminal.
  private static let leastWidth = 40

  /// - Parameters:
  ///   - zone: for dates and times.
  ///   - width: columns; lines are broken at spaces to fit.
  public init(zone: PracticeTimeZone, width: Int) {
    self.zone = zone
    self.width = max(width, Self.leastWidth)
  }

  public func lines(_ brief: Brief) -> [String] {
    var lines = wrap(BriefHeading.title(brief, zone: zone), first: "", rest: "  ")
    lines += wrap(BriefHeading.signalment(brief, zone: zone), first: "", rest: "  ")
    lines.append(String(repeating: "─", count: min(width, 78)))
    var isSuggesting = false
    for section in brief.sections {
      if section.kind == .suggestion, !isSuggesting {
        isSuggesting = true
        lines.append("── \(BriefHeading.suggestionMark) ──")
      }
      for (index, line) in section.lines.enumerated() {
        let title = index == 0 ? section.title : ""
        let indent = String(repeating: " ", count: Self.titleWidth)
        lines += wrap(
          line.text + BriefHeading.sources(line, brief),
          first: title + String(repeating: " ", count: max(1, Self.titleWidth - title.count)), rest: indent)
      }
    }
    return lines
  }

  /// Words of `text`, on as many lines as needed; a word wider than the line stands alone.
  private func wrap(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var current = first
    var isEmpty = true
    for word in text.split(whereSeparator: \.isWhitespace).map(Self.printable) {
      if !isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = rest
        isEmpty = true
      }
      current += isEmpty ? word : " " + word
      isEmpty = false
    }
    lines.append(current)
    return lines
  }

  /// Without control characters: a note can't move the cursor or change colours.
  private static func printable(_ word: Substring) -> String {
    String(String.UnicodeScalarView(word.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}

/// What every format of a brief begins with.
enum BriefHeading {
  static let suggestionMark = "suggestions by VetNet, to be confirmed"

  /// `2026-11-23 09:30 · Duchess (P004) · recheck, 30 min · Dr Wieczorek`
  static func title(_ brief: Brief, zone: PracticeTimeZone) -> String {
    let patient = "\(brief.patient.name) (\(brief.patient.id))"
    guard let appointment = brief.appointment else { return patient }
    var parts = ["\(zone.date(of: appointment.start)) \(zone.clock(appointment.start))", patient]
    parts.append((appointment.visitType.map { "\($0.rawValue), " } ?? "") + "\(appointment.durationMinutes) min")
    if let clinician = brief.clinicianName ?? appointment.clinicianID { parts.append(clinician) }
    return parts.joined(separator: " · ")
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
