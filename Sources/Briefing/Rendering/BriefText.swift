public import Clinical

/// A brief for a terminal: one screen, titles in a column of their own, citations as note ids behind each line.
public struct BriefText: Sendable {
  private let zone: PracticeTimeZone
  private let width: Int
  private let rows: Int?

  /// What a terminal shows at once, and what is read in the minute before a visit.
  public static let screenRows = 45

  /// Room for the longest title and the space after it.
  private static let titleWidth = 12
  /// Narrower than this a line holds no sentence; longer lines are then left to the terminal.
  private static let leastWidth = 40

  /// - Parameters:
  ///   - zone: for dates and times.
  ///   - width: columns; lines are broken at spaces to fit.
  ///   - rows: how many there are; what matters least is left out and counted. Nil for all of it.
  public init(zone: PracticeTimeZone, width: Int, rows: Int? = nil) {
    self.rows = rows
    self.zone = zone
    self.width = max(width, Self.leastWidth)
  }

  public func lines(_ brief: Brief) -> [String] {
    var lines = wrap(BriefHeading.title(brief, zone: zone), first: "", rest: "  ")
    lines += wrap(BriefHeading.signalment(brief, zone: zone), first: "", rest: "  ")
    lines.append(String(repeating: "─", count: min(width, 78)))
    let foot = BriefHeading.foot(brief).map { wrap($0, first: "", rest: "  ") } ?? []
    var shown = brief
    var omitted = 0
    if let rows {
      // A row each for the mark of suggestions and for what is left out.
      let free = max(1, rows - lines.count - foot.count - 2)
      (shown, omitted) = BriefScreen.fit(brief, rows: free) { line, section in
        self.lines(line, of: section, isFirst: false, brief).count
      }
    }
    var isSuggesting = false
    for section in shown.sections {
      if section.kind == .suggestion, !isSuggesting {
        isSuggesting = true
        lines.append("── \(BriefHeading.suggestionMark) ──")
      }
      for (index, line) in section.lines.enumerated() {
        lines += self.lines(line, of: section, isFirst: index == 0, brief)
      }
    }
    if omitted > 0 { lines.append("… \(omitted) more \(omitted == 1 ? "line" : "lines"): --full") }
    return lines + foot
  }

  private func lines(_ line: Brief.Line, of section: Brief.Section, isFirst: Bool, _ brief: Brief) -> [String] {
    let title = isFirst ? section.title : ""
    return wrap(
      line.text + BriefHeading.sources(line, brief),
      first: title + String(repeating: " ", count: max(1, Self.titleWidth - title.count)),
      rest: String(repeating: " ", count: Self.titleWidth))
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

  /// ` [N0042, N0051, nsaid-steroid*]`: the notes and the rows that a line rests on.
  ///
  /// The appointment, the registration and the triage protocol stand behind whole sections and are left to JSON.
  static func sources(_ line: Brief.Line, _ brief: Brief) -> String {
    var ids: [String] = []
    for index in line.citations where !ids.contains(brief.citations[index].noteID) {
      ids.append(brief.citations[index].noteID)
    }
    for reference in line.references where [.table, .intake].contains(reference.kind) {
      if !ids.contains(reference.mark) { ids.append(reference.mark) }
    }
    return ids.isEmpty ? "" : " [\(ids.joined(separator: ", "))]"
  }

  /// What the star means, where a line bears one.
  static func foot(_ brief: Brief) -> String? {
    let isStarred = brief.sections.flatMap(\.lines).flatMap(\.references).contains {
      $0.kind == .table && $0.isVerified != true
    }
    guard isStarred else { return nil }
    let version = brief.formularyVersion.map { "; \($0.split(separator: ":").first.map(String.init) ?? $0)" } ?? ""
    return "* row of a table that nobody has checked against a reference\(version)"
  }
}
