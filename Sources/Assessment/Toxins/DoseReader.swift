/// Amounts of something eaten, and the arithmetic from packet to milligrams per kilogram.
struct DoseReader {
  /// An amount as the text gives it.
  struct Amount: Hashable {
    enum Unit: Hashable { case grams, milligrams, items }

    let value: Double
    let unit: Unit
    let words: Range<Int>
  }

  private static let gramsPerUnit: [String: Double] = [
    "g": 1, "gm": 1, "gms": 1, "gram": 1, "grams": 1, "gramme": 1, "grammes": 1, "kg": 1000, "oz": 28.349523125,
    "ounce": 28.349523125, "ounces": 28.349523125,
  ]
  private static let milligrams: Set<String> = ["mg", "mgs", "milligram", "milligrams"]
  private static let itemWords: Set<String> = [
    "tablet", "tablets", "tab", "tabs", "pill", "pills", "capsule", "capsules", "caplet", "caplets", "piece", "pieces",
    "square", "squares", "stick", "sticks", "button", "buttons", "of", "x", "chunk", "chunks", "sweets", "gummies",
  ]

  let reading: IntakeReading
  let reader: QuantityReader

  /// Milligrams of active substance eaten at most; nil when the text doesn't say.
  ///
  /// Grams times content, tablets times strength; a strength alone ("a 200 mg tablet") is one tablet. Of several readings the
  /// greatest counts: an unknown dose must never look small.
  func milligrams(of toxin: ToxinTable.Toxin, near place: Range<Int>) -> Double? {
    let sentence = reading.words[place.lowerBound].sentence
    let nearby = reading.words.indices.filter { abs(reading.words[$0].sentence - sentence) <= 1 }
    guard let first = nearby.first, let last = nearby.last else { return nil }
    var grams: [Double] = []
    var strengths: [Double] = []
    var items: [Double] = []
    var index = first
    while index <= last {
      guard let value = reader.number(reading.words[index]), index + 1 < reading.words.count else {
        index += 1
        continue
      }
      let unit = reading.words[index + 1].text
      if isBodyWeight(at: index) {
        index += 2
        continue
      }
      if let factor = Self.gramsPerUnit[unit] {
        let fraction = fraction(before: index)
        grams.append(value * factor * fraction)
      } else if Self.milligrams.contains(unit) {
        strengths.append(value)
        if let count = count(before: index) { items.append(count) }
      } else if reading.words[index].number != nil || value >= 2 || reading.words[index].text == "half" || value == 1 {
        if let count = itemCount(value, at: index, place: place) { items.append(count) }
      }
      index += 1
    }
    if let milligramsPerGram = toxin.milligramsPerGram {
      if let most = grams.max() { return most * milligramsPerGram }
      if let count = items.max(), let gramsPerItem = toxin.gramsPerItem {
        return count * gramsPerItem * milligramsPerGram
      }
      return layAmount(nearby, place).map { $0 * milligramsPerGram }
    }
    let strength = strengths.max()
    if let count = items.max(), let each = strength ?? toxin.milligramsPerItem { return count * each }
    if let strength { return strength }
    return nil
  }

  /// The greatest amount in lay words: "a handful", "two bars".
  private func layAmount(_ nearby: [Int], _ place: Range<Int>) -> Double? {
    let amounts = nearby.compactMap { index -> Double? in
      guard let grams = reader.grams(reading.words[index].text) else { return nil }
      // "A bit quiet" is no amount: the thing itself must stand near.
      guard abs(index - place.lowerBound) <= 6 else { return nil }
      let count = index > 0 ? reader.number(reading.words[index - 1]) ?? 1 : 1
      return grams * max(count, 0.25)
    }
    return amounts.max()
  }

  /// "A 30 kg labrador" is no amount eaten; "2 kg of chocolate" is.
  private func isBodyWeight(at index: Int) -> Bool {
    let unit = reading.words[index + 1].text
    guard ["kg", "kgs", "kilo", "kilos", "lb", "lbs", "pound", "pounds", "stone"].contains(unit) else { return false }
    let next = index + 2 < reading.words.count ? reading.words[index + 2].text : ""
    return next != "of" && next != "bag" && next != "bar"
  }

  /// A half or a quarter before "a 100 g bar".
  private func fraction(before index: Int) -> Double {
    for back in 1...3 where index - back >= 0 {
      switch reading.words[index - back].text {
      case "half": return 0.5
      case "quarter": return 0.25
      case "third": return 0.34
      case "two", "2": return index - back + 1 < index ? 2 : 1
      case "three", "3": return index - back + 1 < index ? 3 : 1
      default: continue
      }
    }
    return 1
  }

  /// The "two" of "two 200 mg tablets" and of "2 x 200 mg".
  private func count(before index: Int) -> Double? {
    for back in 1...3 where index - back >= 0 {
      if let value = reader.number(reading.words[index - back]), value <= 200 { return value }
      if !["x", "of", "the", "a", "my"].contains(reading.words[index - back].text) { break }
    }
    return nil
  }

  /// The count of tablets or pieces, or of the thing itself ("four ibuprofen").
  private func itemCount(_ value: Double, at index: Int, place: Range<Int>) -> Double? {
    guard value <= 500 else { return nil }
    let isArticle = ["a", "an"].contains(reading.words[index].text)
    for ahead in 1...3 where index + ahead < reading.words.count {
      let word = reading.words[index + ahead].text
      // "Two bars of chocolate" are not two pieces; how much a bar holds is a lay amount, or unknown.
      let isOther = ahead > 1 && word == "of" && !Self.itemWords.contains(reading.words[index + ahead - 1].text)
      if isOther || reader.grams(word) != nil { return nil }
      if place.contains(index + ahead), !isArticle { return value }
      if Self.itemWords.contains(word), word != "of", word != "x" { return value }
      if Self.gramsPerUnit[word] != nil || Self.milligrams.contains(word) || reader.unitHours(word) != nil {
        return nil
      }
      if ["old", "kg", "kgs", "kilo", "kilos", "lb", "lbs"].contains(word) { return nil }
    }
    return nil
  }
}
