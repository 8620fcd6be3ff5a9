import Assessment
import Chart
import Clinical
import Extraction

// What was measured, beside what is normal for the species and what the patient had before.

extension EncounterDesk {
  private static let measures: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .vital,
  ]
  private static let earlierValues = 2
  /// A tenth of the weight gone or gained is worth a second look, if only at the scales.
  ///
  /// - Source: general knowledge of practice.
  private static let tellingChange = 0.1

  /// The measured values and laboratory results of this narrative and this patient.
  mutating func valueLines() -> [EncounterReading.Line] {
    var lines: [EncounterReading.Line] = []
    for fact in narrative.facts where isToday(fact) {
      if Self.measures.contains(fact.kind) {
        lines += [measureLine(fact)].compactMap { $0 }
      } else if fact.kind == .lab {
        lines += [resultLine(fact)].compactMap { $0 }
      }
    }
    return lines
  }

  /// Measured now, in this animal.
  func isToday(_ fact: Fact) -> Bool {
    fact.assertion.experiencer == .patient && fact.assertion.temporality == .current
      && fact.assertion.polarity == .present && fact.writtenDate == nil && fact.value != nil
  }

  private mutating func measureLine(_ fact: Fact) -> EncounterReading.Line? {
    guard case .measurement(let measurement) = fact.content else { return nil }
    var text = "\(name(measurement.measure)) \(value(fact))"
    var references: [SourceReference] = []
    var isWarning = fact.isImplausible
    let limits = reader.vitals.limits(
      measurement.measure, in: species, days: record.patient.ageInDays(on: today).map(Double.init))
    if fact.isImplausible || limits.map({ !$0.plausible.contains(measurement.amount.value) }) ?? false {
      text += ": not plausible, check number and unit"
      isWarning = true
    } else if let limits {
      let verdict = Self.verdict(measurement.amount, limits)
      text += ": \(verdict.words), \(range(limits.normal)) is normal for a \(species.rawValue)"
      isWarning = verdict.isWarning
    }
    if let limits { references.append(Self.reference(limits)) }
    let earlier = earlier(measurement.measure, fact)
    if measurement.measure == .weight, let before = earlier.first?.fact.value, before > 0 {
      isWarning = isWarning || abs(measurement.amount.value - before) / before >= Self.tellingChange
    }
    if !earlier.isEmpty {
      text +=
        "; before: "
        + earlier.map { item in
          let change =
            measurement.measure == .weight
            ? item.fact.value.map { " (\(ChartNumber.change(from: $0, to: measurement.amount.value)) since)" } ?? ""
            : ""
          return "\(value(item.fact)) on \(context.zone.date(of: item.note.recordedAt))\(change)"
        }.joined(separator: ", ")
    }
    let today = Place.note(RecordedFact(note: narrative.note, fact: fact))
    return line(.check, text, [today] + earlier.map(Place.note), references, isWarning: isWarning)
  }

  static func reference(_ limits: VitalRanges.Limits) -> SourceReference {
    SourceReference(table: "triage/vitals.tsv", row: limits.id, source: limits.source, isVerified: false)
  }

  /// `high`, `critically low`, `normal`: of a range that was written both ends.
  private static func verdict(
    _ amount: Amount, _ limits: VitalRanges.Limits
  ) -> (words: String, isWarning: Bool) {
    let (low, high) = (amount.value, amount.upper ?? amount.value)
    if high > limits.critical.upperBound { return ("critically high", true) }
    if low < limits.critical.lowerBound { return ("critically low", true) }
    if high > limits.normal.upperBound { return ("high", true) }
    if low < limits.normal.lowerBound { return ("low", true) }
    return ("within range", false)
  }

  private func range(_ range: ClosedRange<Double>) -> String {
    "\(ChartNumber.text(range.lowerBound, digits: 1)) to \(ChartNumber.text(range.upperBound, digits: 1))"
  }

  func name(_ measure: VitalMeasure) -> String {
    switch measure {
    case .heartRate: "heart rate"
    case .respiratoryRate: "breathing rate"
    case .capillaryRefill: "capillary refill time"
    case .bodyCondition: "body condition"
    case .systolicPressure: "systolic pressure"
    case .oxygenSaturation: "oxygen saturation"
    case .temperature, .weight: measure.rawValue
    }
  }

  /// `39.9 °C (103.8 °F)`: as VetNet reckons, and as it was written where that is another unit.
  private func value(_ fact: Fact) -> String {
    guard let amount = fact.amount else { return "" }
    let sign = amount.comparison?.rawValue ?? ""
    let upper = amount.upper.map { "–\(ChartNumber.text($0, digits: 1))" } ?? ""
    var text = "\(sign)\(ChartNumber.text(amount.value, digits: amount.value < 10 ? 2 : 1))\(upper)"
    if !amount.unit.isEmpty { text += amount.unit.hasPrefix("/") ? amount.unit : " \(amount.unit)" }
    if let original = amount.original, !original.unit.isEmpty, original.unit != amount.unit,
      original.value != amount.value
    {
      let mark = original.isUnitInferred ? ", unit not written" : ""
      text += " (\(ChartNumber.text(original.value, digits: 1)) \(original.unit)\(mark))"
    }
    return text
  }

  /// The patient's own values before, the latest first; a weighing is compared with those that count as one.
  private func earlier(_ measure: VitalMeasure, _ fact: Fact) -> [RecordedFact] {
    if measure == .weight {
      return WeightTrend(record, zone: context.zone).shown.map(\.item).prefix(Self.earlierValues).map { $0 }
    }
    return record.recordedFacts([fact.kind]).reversed().filter { item in
      guard case .measurement(let other) = item.fact.content, other.measure == measure else { return false }
      return item.fact.assertion.isActive && !item.fact.isImplausible && item.fact.name == fact.name
    }.prefix(Self.earlierValues).map { $0 }
  }

  private mutating func resultLine(_ fact: Fact) -> EncounterReading.Line? {
    var text = "\(fact.name) \(value(fact))"
    if let flag = fact.lab?.flag { text += " (\(flag.rawValue))" }
    let trend = ResultTrend.all(in: record, zone: context.zone).first {
      $0.name == fact.name && $0.unit == fact.unit ?? ""
    }
    let earlier = trend.map { Array($0.values.suffix(Self.earlierValues).reversed()) } ?? []
    if !earlier.isEmpty {
      text += "; before: " + earlier.map { "\($0.text) on \($0.date)" }.joined(separator: ", ")
    }
    let today = Place.note(RecordedFact(note: narrative.note, fact: fact))
    return line(
      .check, text, [today] + earlier.map { .note($0.item) }, isWarning: fact.lab?.flag != nil)
  }
}
