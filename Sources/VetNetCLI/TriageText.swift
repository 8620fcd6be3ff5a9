import Assessment
import Clinical
import Presentation

/// An assessment as a receptionist reads it: what to do first, then why, then what is not known.
enum TriageText {
  static func lines(_ assessment: CaseAssessment, intake: Intake, terminal: Terminal, explains: Bool) -> [String] {
    let triage = assessment.triage
    let animal = assessment.animals.first.map { "\($0.animal.label): " } ?? ""
    let title = (intake.id.isEmpty ? "" : "\(intake.id): ") + animal
    let level =
      title + terminal.styled(triage.urgency.rawValue.uppercased(), style(triage.urgency))
      + ", target \(triage.targetMinutes) min"
    let action = triage.action.wrapped(to: terminal.width, indent: "  ")
    // Where seconds count, what to do stands first.
    var lines = triage.urgency >= .orange ? action + [level] : [level] + action
    lines += basis(triage.basis, terminal: terminal)
    if triage.hasTooLittleInformation { lines.append("  Too little is said to judge: call back.") }
    lines += findings(triage)
    let letters = ABCDELetter.allCases.map { letter in
      "\(letter.rawValue.prefix(1).uppercased()) \(triage.abcde[letter, default: .notStated].rawValue)"
    }
    lines.append("  ABCDE: \(letters.joined(separator: ", "))")
    lines.append(
      "  complexity C\(assessment.complexity.level) (\(assessment.complexity.points) points), \(assessment.visitType.visitType.rawValue), "
        + "\(minutes(assessment.duration.p50)) min (80 %: \(minutes(assessment.duration.p80)), 90 %: \(minutes(assessment.duration.p90)))"
    )
    lines.append("  for: \(assessment.specialties.prefix(3).map(\.specialty.rawValue).joined(separator: ", "))")
    if !assessment.staff.isEmpty {
      let people = assessment.staff.prefix(3).map { "\($0.name) (\(Int(($0.score * 100).rounded())) %)" }
      lines.append("  with: \(people.joined(separator: ", "))")
    }
    for value in triage.implausible { lines.append("  check: \(value)") }
    if !triage.questions.isEmpty {
      lines.append("  ask next:")
      for question in triage.questions { lines += "– \(question)".wrapped(to: terminal.width, indent: "    ") }
    }
    for other in assessment.animals.dropFirst() { lines += also(other, terminal: terminal) }
    if explains { lines += ExplanationText.lines(assessment.explanation, depth: 1) }
    lines.append("  \(CaseAssessment.disclaimer)")
    return lines
  }

  /// Which part of the program put the level there, with its words.
  private static func basis(_ basis: LevelBasis, terminal: Terminal) -> [String] {
    let names = basis.findings.isEmpty ? "" : " (\(basis.findings.joined(separator: ", ")))"
    let quotes =
      basis.words.isEmpty || basis.source == .finding
      ? "" : ": " + basis.words.map { "“\($0.quote.shortened(to: 40))”" }.joined(separator: " … ")
    return "rests on: \(basis.text)\(names)\(quotes)".wrapped(to: terminal.width, indent: "  ")
  }

  /// What fired, and what was named but not counted, with the words for it.
  private static func findings(_ triage: TriageResult) -> [String] {
    var lines: [String] = []
    for finding in triage.fired {
      let quotes = finding.evidence.map { "“\($0.quote.shortened(to: 60))”" }.joined(separator: " … ")
      lines.append("  \(finding.level.rawValue.padded(to: 7))\(finding.id.padded(to: 26))\(quotes)")
    }
    for finding in triage.suppressed {
      let quotes = finding.evidence.map { "“\($0.quote.shortened(to: 50))”" }.joined(separator: " … ")
      lines.append("  not counted, \(finding.reason.rawValue): \(finding.id) \(quotes)")
    }
    return lines
  }

  /// Another animal of the same message in short.
  private static func also(_ other: CaseAssessment.Animal, terminal: Terminal) -> [String] {
    let triage = other.assessment.triage
    let level = terminal.styled(triage.urgency.rawValue.uppercased(), style(triage.urgency))
    return [
      "  also \(other.animal.label): \(level), target \(triage.targetMinutes) min, "
        + other.assessment.visitType.visitType.rawValue
    ] + findings(triage).map { "  " + $0 }
  }

  private static func minutes(_ value: Double) -> String { String(Int(value.rounded())) }

  static func style(_ urgency: Urgency) -> Terminal.Style {
    switch urgency {
    case .red: .red
    case .orange: .orange
    case .yellow: .yellow
    case .green: .green
    case .blue: .blue
    }
  }
}
