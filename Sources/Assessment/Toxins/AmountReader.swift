import Clinical
import Extraction

/// Reads how much of one thing a text says was eaten: grams, pieces, packs, strengths.
///
/// A head such as "tablets", "bar" or "g" is counted by the words before it: "half a", "two 100 g", "the rest of the", "2 x".
struct AmountReader {
  /// A pack, or part of one.
  struct Pack {
    /// Of what a pack holds.
    let share: Double
    /// Where the text says how many pieces were in it.
    let items: Double?
    /// As ``QuantityReader/Container/pack(_:)`` has it.
    let grams: Double
  }

  /// Milligrams as the text gives them.
  struct Strength {
    let milligrams: Double
    /// The tablets counted right at the strength: "two 200s", "400 mg x 3".
    let count: Double?
    /// Whether it is what was eaten: "500 mg of ibuprofen".
    let isDose: Bool
  }

  /// An amount in lay words.
  struct LayAmount {
    /// At most, of one.
    let grams: Double
    let count: Double
    /// Whether it is what was taken, not what it was taken from: a lick, not a bar.
    var isTaste: Bool { grams < AmountReader.largestTaste }
  }

  let reading: IntakeReading
  let quantities: QuantityReader
  let eating: [ConceptOccurrence]
  /// The words that name the thing.
  let place: Range<Int>
  /// Whether a number before its name counts pieces: "four ibuprofen", but not "two chocolate cakes".
  let countsPlace: Bool
  /// The words whose amounts may belong to the thing: its own sentence, and neighbours that go on about it.
  let scope: [Int]
  /// Those whose amounts do: nothing else comes between.
  let linked: [Int]

  init(
    reading: IntakeReading, quantities: QuantityReader, eating: [ConceptOccurrence], place: Range<Int>,
    countsPlace: Bool
  ) {
    self.reading = reading
    self.quantities = quantities
    self.eating = eating
    self.place = place
    self.countsPlace = countsPlace
    let words = reading.words
    let own = words[place.lowerBound].sentence
    let eatenIn = Set(eating.map { words[$0.words.lowerBound].sentence })
    /// Whether a sentence begins as one that says more of what the one before named: "It was two squares".
    func goesOn(_ sentence: Int) -> Bool {
      guard let first = words.firstIndex(where: { $0.sentence == sentence }) else { return false }
      let text = words[first].text
      return words[first].isOne(of: .continuing)
        || quantities.number(words[first]) != nil && !["a", "an"].contains(text)
    }
    let next = goesOn(own + 1)
    // "He's had a whole 200 g bar. It's dark chocolate."
    let previous = !eatenIn.contains(own) && eatenIn.contains(own - 1)
    scope = words.indices.filter { index in
      let sentence = words[index].sentence
      return sentence == own || next && sentence == own + 1 || previous && sentence == own - 1
    }
    linked = scope.filter { index in
      let sentence = words[index].sentence
      guard sentence == own else { return sentence < own || !eatenIn.contains(sentence) }
      let between =
        index < place.lowerBound ? (index + 1)..<place.lowerBound : place.upperBound..<max(place.upperBound, index)
      return !between.contains { position in
        words[position].isOne(of: .conjunction) && !Self.isHalf(position, words)
      }
    }
  }

  /// "Two and a half".
  private static func isHalf(_ index: Int, _ words: [IntakeWord]) -> Bool {
    index + 2 < words.count && words[index + 1].text == "a" && fractions[words[index + 2].text] != nil
  }

  private var words: [IntakeWord] { reading.words }

  private static let gramsPerUnit: [String: Double] = [
    "g": 1, "gm": 1, "gms": 1, "gram": 1, "grams": 1, "gramme": 1, "grammes": 1, "kg": 1000, "kilo": 1000,
    "kilos": 1000,
    "oz": 28.349523125, "ounce": 28.349523125, "ounces": 28.349523125, "lb": 453.59237, "lbs": 453.59237,
    "pound": 453.59237, "pounds": 453.59237, "ml": 1, "mls": 1,
  ]
  private static let fractions: [String: Double] = [
    "half": 0.5, "halves": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1.0 / 3, "thirds": 1.0 / 3,
  ]
  /// Below this many grams an amount is what was taken, not what it was taken from.
  private static let largestTaste = 100.0

  // MARK: - Heads

  /// Grams of the thing.
  func masses(_ scope: [Int]) -> [Double] {
    scope.compactMap { index in
      guard let value = figure(at: index), let factor = Self.gramsPerUnit[text(index + 1)],
        !isBodyWeight(at: index)
      else { return nil }
      let holdsMore = container(at: index + 2) != nil || container(at: index + 3) != nil
      if holdsMore, isTakenFrom(before: index) { return nil }
      // "A 100 g bar" counts by the words before; "100 g" is what it is, unless it is half of it or twice.
      let count = multiplier(before: index)
      let isTimes = count.value < 1 || text(index - 1) == "x"
      let behind = timesBehind(index + 2)
      return value * factor * (holdsMore || isTimes ? count.value : 1) * behind
    }
  }

  /// Pieces: tablets, squares, sticks, or the thing itself.
  func items(_ scope: [Int]) -> [Double] {
    scope.compactMap { index in
      if has(.pieces, at: index) {
        // "Packet of 16 tablets" is the packet's.
        let count = multiplier(before: index)
        return count.isExplicit && !isPackSize(before: index) ? count.value : nil
      }
      if has(.piece, at: index) {
        let count = multiplier(before: index)
        return count.isExplicit || count.isPointed ? count.value : nil
      }
      guard index == place.lowerBound, countsPlace, !isFollowedByHead else { return nil }
      let count = multiplier(before: index)
      return count.isExplicit && !isPackSize(before: index) ? count.value * timesBehind(place.upperBound) : nil
    }
  }

  /// Whether what is counted comes after the name: "two ibuprofen packets", "a chocolate bar".
  private var isFollowedByHead: Bool {
    (place.upperBound..<(place.upperBound + 2)).contains { index in
      container(at: index) != nil || has(.piece, at: index) || has(.pieces, at: index)
    }
  }

  func packs(_ scope: [Int]) -> [Pack] {
    scope.compactMap { index in
      guard case .pack(let grams) = container(at: index), !isSized(index), !isTakenFrom(before: index) else {
        return nil
      }
      let count = multiplier(before: index)
      // "Packet of 16", "16 pack".
      if text(index + 1) == "of", let size = figure(at: index + 2), size >= 2,
        Self.gramsPerUnit[text(index + 3)] == nil,
        !has(.milligram, at: index + 3)
      {
        return Pack(share: count.value, items: count.value * size, grams: grams)
      }
      if let size = figure(at: index - 1), size >= 4 { return Pack(share: 1, items: size, grams: grams) }
      return Pack(share: count.value, items: nil, grams: grams)
    }
  }

  /// Tablets in strips and blisters.
  func strips(_ scope: [Int]) -> Double? {
    scope.compactMap { index in
      guard case .strip(let tablets) = container(at: index), !isTakenFrom(before: index) else { return nil }
      if text(index + 1) == "of", let size = figure(at: index + 2), size >= 2,
        !has(.milligram, at: index + 3)
      {
        return size * multiplier(before: index).value
      }
      return tablets * multiplier(before: index).value
    }.max()
  }

  /// Lay words of quantity: "a lick", "two bars", "a handful".
  func layAmounts(_ scope: [Int]) -> [LayAmount] {
    scope.compactMap { index in
      guard case .amount(let grams) = container(at: index), !isSized(index), !isTakenFrom(before: index) else {
        return nil
      }
      let count = multiplier(before: index)
      let amount = LayAmount(grams: grams, count: count.value)
      // "Bit into it", "a bit quiet": small amounts are amounts only where they are counted and of the thing.
      if amount.isTaste, !(count.isExplicit || count.isPointed) || !isOfThing(index) { return nil }
      return amount
    }
  }

  private func isOfThing(_ index: Int) -> Bool {
    if place.contains(index) { return true }
    let next = text(index + 1)
    if place.lowerBound > index, words[place.lowerBound].sentence == words[index].sentence {
      return ["of", "off", "from"].contains(next) || place.lowerBound <= index + 2
    }
    if next == "of" { return ["it", "them", "that", "this", "one"].contains(text(index + 2)) }
    return isEndOfPhrase(index) || ["off", "from"].contains(next)
  }

  func strengths(_ scope: [Int]) -> [Strength] {
    scope.compactMap { index in
      guard let value = figure(at: index) else { return nil }
      let unit = text(index + 1)
      let isMarked = has(.milligram, at: index + 1)
      // "Two 200s", "tablet 400", "ibuprofen 400 x 3".
      let isPlural = unit == "s" && words[index].range.upperBound == words[index + 1].range.lowerBound
      let follows =
        has(.piece, at: index - 1) || has(.pieces, at: index - 1)
        || index == place.upperBound
      let isBare = value >= 50 && follows && Self.gramsPerUnit[unit] == nil && quantities.unitHours(unit) == nil
      let isArticled = value >= 50 && ["a", "an", "one"].contains(text(index - 1)) && isEndOfPhrase(index)
      guard isMarked || isPlural && value >= 5 || isBare || isArticled else { return nil }
      let end = isMarked || isPlural ? index + 2 : index + 1
      let before = multiplier(before: index)
      let times = text(end) == "x" ? figure(at: end + 1) : nil
      let count = times ?? (before.isExplicit ? before.value : nil)
      let isTotal =
        ["of", "worth", "total", "altogether"].contains(text(end)) || text(end) == "in" && text(end + 1) == "total"
        || text(index - 1) == "gave" || ["him", "her", "them"].contains(text(index - 1))
      let hasItems = has(.pieces, at: end) || has(.piece, at: end)
      return Strength(milligrams: value, count: count, isDose: isMarked && isTotal && !hasItems && count == nil)
    }
  }

  /// The stated cocoa content, the greatest of several.
  func percentage(_ scope: [Int]) -> Double? {
    scope.compactMap { index -> Double? in
      guard let value = words[index].number, (1...100).contains(value), isPercent(after: index) else { return nil }
      let next =
        ["percent", "per"].contains(text(index + 1))
        ? text(index + (text(index + 1) == "per" ? 3 : 2)) : text(index + 1)
      return ["off", "sure", "certain", "of", "better", "positive", "chance", "more"].contains(next) ? nil : value
    }.max()
  }

  private func isPercent(after index: Int) -> Bool {
    if ["percent", "per"].contains(text(index + 1)) { return true }
    let rest = reading.text.utf8.dropFirst(words[index].range.upperBound)
    return rest.prefix(2).drop { $0 == 0x20 }.first == UInt8(ascii: "%")
  }

  // MARK: - Words before a head

  /// How often, or how much of, a head is meant.
  struct Multiplier {
    var value = 1.0
    /// Whether a number, an article or a word such as "few" says so.
    var isExplicit = false
    /// Whether it is "the" or "my" one.
    var isPointed = false

    mutating func take(_ factor: Double) {
      value *= factor
      isExplicit = true
    }
  }

  /// Words looked back from a head.
  private static let multiplierReach = 8
  /// Adjectives and brands passed over.
  private static let longestDescription = 3

  /// The greatest number of pieces that anybody counts; larger numbers are something else.
  private static let mostPieces = 500.0

  func multiplier(before head: Int) -> Multiplier {
    var result = Multiplier()
    var described = 0
    let sentence = head < words.count ? words[head].sentence : -1
    var index = (place.contains(head) ? place.lowerBound : head) - 1
    let first = max(0, index - Self.multiplierReach)
    while index >= first, words[index].sentence == sentence, words[index].phrase == words[head].phrase {
      let word = text(index)
      if isUnit(index) || word == "s", figure(at: index - 1) != nil {
        if word != "s", isBodyWeight(at: index - 1) { break }
        index -= 2
      } else if let (fraction, count) = fraction(endingAt: index) {
        result.take(fraction)
        index -= count
      } else if let vague = quantities.vagueCount(word), isItem(head) || head == place.lowerBound {
        result.take(vague)
        break
      } else if let (number, count) = pieces(endingAt: index) {
        if number > Self.mostPieces { break }
        result.take(number)
        index -= count
        // "Half of the two tablets" is rare; "half of 2" is not looked for.
        guard text(index) == "x" || text(index) == "of" else { break }
      } else {
        if word == "a" || word == "an" {
          result.isExplicit = true
        } else if has(.determiner, at: index) || has(.demonstrative, at: index) || has(.whole, at: index) {
          result.isPointed = true
        } else if !has(.amountjoint, at: index), !reading.lexicon.isFiller(word) {
          described += 1
          if described > Self.longestDescription || endsDescription(at: index) { break }
        }
        index -= 1
      }
    }
    return result
  }

  private func isUnit(_ index: Int) -> Bool { has(.milligram, at: index) || Self.gramsPerUnit[text(index)] != nil }

  /// "Three quarters of a bar", "two and a half tablets": a fraction with the number before it, and the words it takes.
  private func fraction(endingAt index: Int) -> (value: Double, words: Int)? {
    guard let fraction = Self.fractions[text(index)] else { return nil }
    if let number = figure(at: index - 1) ?? spelledNumber(at: index - 1), number < 10, text(index).hasSuffix("s") {
      return (fraction * number, 2)
    }
    if text(index - 1) == "a", text(index - 2) == "and", let number = count(at: index - 3) {
      return (number + fraction, 4)
    }
    return (fraction, 1)
  }

  /// A number of pieces, of "two or three" and "5-6" the greater, and the words it takes.
  private func pieces(endingAt index: Int) -> (value: Double, words: Int)? {
    guard let number = count(at: index), !isTime(at: index) else { return nil }
    if number > Self.mostPieces { return (number, 1) }
    if ["or", "to"].contains(text(index - 1)), let other = count(at: index - 2) { return (max(number, other), 3) }
    if let other = count(at: index - 1), words[index].range.lowerBound - words[index - 1].range.upperBound == 1 {
      return (max(number, other), 2)
    }
    return (number, 1)
  }

  /// Whether a word before a head names something else, so that what stands before it doesn't count the head.
  private func endsDescription(at index: Int) -> Bool {
    eating.contains { $0.words.lowerBound == index } || ["and", "but", "then", "so", "plus"].contains(text(index))
      || container(at: index) != nil || isItem(index)
  }

  private func isItem(_ index: Int) -> Bool { has(.piece, at: index) || has(.pieces, at: index) }

  /// "x 3", "x3" behind an amount.
  private func timesBehind(_ index: Int) -> Double {
    for place in index..<(index + 4) where place < words.count {
      guard words[place].phrase == words[index].phrase else { return 1 }
      if words[place].text == "x" { return figure(at: place + 1) ?? 1 }
    }
    return 1
  }

  /// Whether the container's size in grams is stated: "200 g bar".
  private func isSized(_ index: Int) -> Bool {
    (1...2).contains { Self.gramsPerUnit[text(index - $0)] != nil && figure(at: index - $0 - 1) != nil }
  }

  /// Whether a number of tablets is the size of their pack: "packet of 16 tablets".
  private func isPackSize(before head: Int) -> Bool {
    for index in stride(from: head - 1, through: max(1, head - 5), by: -1) where figure(at: index) != nil {
      guard text(index - 1) == "of" else { continue }
      switch container(at: index - 2) {
      case .pack, .strip: return true
      default: continue
      }
    }
    return false
  }

  /// Whether an amount before says how much was taken from it: "two squares of a 100 g bar", "a lick off the".
  private func isTakenFrom(before head: Int) -> Bool {
    for index in stride(from: head - 1, through: max(1, head - 6), by: -1) {
      guard words[index].sentence == words[head].sentence else { return false }
      guard ["of", "from", "off", "out"].contains(text(index)) else { continue }
      let before = index - 1
      if isItem(before) { return multiplier(before: before).isExplicit }
      if case .amount(let grams) = container(at: before), grams < Self.largestTaste {
        return multiplier(before: before).isExplicit
      }
      // "A lick of chocolate off a wrapper": past the thing itself.
      if place.contains(before), place.lowerBound > 1, text(place.lowerBound - 1) == "of",
        case .amount(let grams) = container(at: place.lowerBound - 2), grams < Self.largestTaste
      {
        return true
      }
      if let number = count(at: before), number < 10, text(before) != "half" { return false }
    }
    return false
  }

  // MARK: - Words

  private func text(_ index: Int) -> String { words.indices.contains(index) ? words[index].text : "" }

  private func has(_ closed: ClosedClass, at index: Int) -> Bool {
    words.indices.contains(index) && words[index].isOne(of: closed)
  }

  /// A number in figures.
  private func figure(at index: Int) -> Double? {
    guard words.indices.contains(index) else { return nil }
    return words[index].number ?? (["a", "an"].contains(words[index].text) ? nil : spelledNumber(at: index))
  }

  private func spelledNumber(at index: Int) -> Double? {
    guard words.indices.contains(index), !["a", "an", "once", "twice", "half"].contains(words[index].text),
      quantities.vagueCount(words[index].text) == nil
    else { return nil }
    return quantities.number(words[index])
  }

  /// A number that counts things.
  private func count(at index: Int) -> Double? {
    guard let number = figure(at: index), !isPercent(after: index) else { return nil }
    return number
  }

  private func isTime(at index: Int) -> Bool {
    let next = text(index + 1)
    return quantities.unitHours(next) != nil && next != "w" && next != "d" && next != "h"
      || ["am", "pm", "oclock", "yr", "yo", "old", "stone"].contains(next)
  }

  private func isEndOfPhrase(_ index: Int) -> Bool {
    index + 1 >= words.count || words[index + 1].phrase != words[index].phrase
  }

  private func container(at index: Int) -> QuantityReader.Container? {
    guard words.indices.contains(index) else { return nil }
    // The second word of a pair is no head of its own: "creme egg".
    if index > 0, quantities.container(words[index - 1].text + " " + words[index].text) != nil { return nil }
    if index + 1 < words.count, let pair = quantities.container(words[index].text + " " + words[index + 1].text) {
      return pair
    }
    return quantities.container(words[index].text)
  }

  private func isBodyWeight(at index: Int) -> Bool {
    let range = words[index].range
    let next = text(index + 2)
    // "32 kilos of him".
    if next == "of", has(.body, at: index + 3) { return true }
    if ["of", "bag", "bar", "box", "tub", "block", "sack", "slab"].contains(next) { return false }
    if has(.bodyunit, at: index + 1) { return true }
    return reading.vitals.contains { $0.measure == .weight && $0.range.contains(range: range) }
  }
}
