/// A vital sign as a text gives it, temperatures in °C.
struct VitalValue: Hashable, Sendable {
  let sign: VitalSign
  let value: Double
  let words: Range<Int>
}

/// Finds `T 39.8`, `HR 180`, "breathing 60 a minute", "temperature of 104F" in a reading.
enum VitalReader {
  private static let labels: [(words: [String], sign: VitalSign)] = [
    (["t"], .temperature), (["temp"], .temperature), (["temperature"], .temperature), (["rectal"], .temperature),
    (["hr"], .heartRate), (["heart", "rate"], .heartRate), (["pulse"], .heartRate), (["heartrate"], .heartRate),
    (["pr"], .heartRate), (["heartbeat"], .heartRate),
    (["rr"], .respiratoryRate), (["srr"], .respiratoryRate), (["respiratory", "rate"], .respiratoryRate),
    (["breathing", "rate"], .respiratoryRate), (["resp", "rate"], .respiratoryRate), (["resps"], .respiratoryRate),
    (["resp"], .respiratoryRate), (["respiration", "rate"], .respiratoryRate), (["breaths"], .respiratoryRate),
    (["breathing"], .respiratoryRate),
  ]
  /// Words that may stand between a label and its number.
  private static let between: Set<String> = [
    "is", "was", "of", "at", "up", "to", "now", "about", "around", "approx", "over", "above", "sleeping", "resting",
    "rate", "this", "morning", "today", "has", "been", "reached", "went", ">", "<", "its", "his", "her", "a", "nearly",
    "reads", "says", "down",
  ]

  static func values(in reading: IntakeReading) -> [VitalValue] {
    let words = reading.words
    var result: [VitalValue] = []
    var index = 0
    while index < words.count {
      if let value = labelled(at: index, words) ?? counted(at: index, words) ?? degrees(at: index, words) {
        result.append(value)
        index = value.words.upperBound
      } else {
        index += 1
      }
    }
    return result
  }

  private static func labelled(at start: Int, _ words: [IntakeWord]) -> VitalValue? {
    for label in labels where start + label.words.count < words.count {
      guard label.words.indices.allSatisfy({ words[start + $0].text == label.words[$0] }) else { continue }
      var index = start + label.words.count
      var steps = 0
      while index < words.count, steps < 4, between.contains(words[index].text) {
        index += 1
        steps += 1
      }
      guard index < words.count, words[index].sentence == words[start].sentence, let number = words[index].number else {
        continue
      }
      let unit = index + 1 < words.count ? words[index + 1].text : ""
      if label.words == ["breathing"], !["a", "breaths", "per", "bpm", "times", "min"].contains(unit) { continue }
      if label.sign != .temperature, ["years", "days", "hours", "weeks", "mins", "minutes", "kg"].contains(unit) {
        continue
      }
      return value(label.sign, number, unit, start..<(index + 1))
    }
    return nil
  }

  /// "60 breaths a minute", "44 breaths per min", "180 bpm".
  private static func counted(at start: Int, _ words: [IntakeWord]) -> VitalValue? {
    guard let number = words[start].number, start + 1 < words.count else { return nil }
    switch words[start + 1].text {
    case "breaths": return value(.respiratoryRate, number, "", start..<(start + 2))
    case "bpm", "beats": return value(.heartRate, number, "", start..<(start + 2))
    default: return nil
    }
  }

  /// "39.8 c", "104 f", "40 degrees": only as a body temperature's size, so that an oven's or the weather's stays out.
  private static func degrees(at start: Int, _ words: [IntakeWord]) -> VitalValue? {
    guard let number = words[start].number, start + 1 < words.count else { return nil }
    let unit = words[start + 1].text
    guard (unit == "c" && (34...44).contains(number)) || (unit == "f" && (92...112).contains(number)) else {
      return nil
    }
    return value(.temperature, number, unit, start..<(start + 2))
  }

  /// - Source: DOMAIN sheet section 2: temperatures of 92 to 112 are °F.
  private static func value(_ sign: VitalSign, _ number: Double, _ unit: String, _ words: Range<Int>) -> VitalValue {
    guard sign == .temperature else { return VitalValue(sign: sign, value: number, words: words) }
    let isFahrenheit = unit == "f" || (92...112).contains(number)
    let celsius = isFahrenheit ? ((number - 32) / 1.8 * 10).rounded() / 10 : number
    return VitalValue(sign: sign, value: celsius, words: words)
  }
}
