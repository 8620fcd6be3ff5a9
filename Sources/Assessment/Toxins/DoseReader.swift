import Clinical

/// How much of a poison was eaten, in milligrams of its active substance.
struct DoseEstimate {
  /// What was eaten for certain, as far as the words go.
  let least: Double
  /// What it may have been at most: the largest pack sold, where nobody says how much. Nil where no pack is known.
  let most: Double?
  /// How it was counted, for the reason.
  let basis: String

  /// Whether the text says how much.
  var isStated: Bool { least == most }
}

/// The arithmetic from packet to milligrams.
///
/// Of several readings the greatest counts: an unknown dose must never look small. A strength is no dose: "500 mg tablets" says
/// nothing of how many. A packet without a number is the largest that is commonly sold.
struct DoseReader {
  let reading: IntakeReading
  let quantities: QuantityReader
  /// Words after which something is no longer part of what was eaten, such as "ate".
  let eating: [ConceptOccurrence]

  /// - Returns: nil where the table knows no doses of `toxin`.
  func estimate(of toxin: ToxinTable.Toxin, at place: Range<Int>) -> DoseEstimate? {
    guard !toxin.levels.thresholds.isEmpty else { return nil }
    let amounts = AmountReader(
      reading: reading, quantities: quantities, eating: eating, place: place,
      countsPlace: toxin.content.gramsPerItem == nil)
    let count = toxin.content.milligramsPerGram == nil ? tablets : food
    if let eaten = count(toxin, amounts, amounts.linked) {
      return DoseEstimate(least: eaten.milligrams, most: eaten.milligrams, basis: eaten.basis)
    }
    // An amount that may be of something else makes nothing less, but more it may.
    let loose = count(toxin, amounts, amounts.scope)?.milligrams ?? 0
    let strength = amounts.strengths(amounts.linked).map(\.milligrams).max()
    let pack =
      if let content = content(of: toxin, amounts, amounts.linked) {
        toxin.content.gramsPerPack.map { $0 * content }
      } else {
        toxin.content.itemsPerPack.flatMap { items in (strength ?? toxin.content.milligramsPerItem).map { $0 * items } }
      }
    let least = max(loose, toxin.content.milligramsPerGram == nil ? strength ?? 0 : 0)
    return DoseEstimate(least: least, most: pack.map { max($0, least) }, basis: "amount unsure")
  }

  private typealias Eaten = (milligrams: Double, basis: String)

  /// Milligrams in a gram: by the stated cocoa content, where there is one.
  private func content(of toxin: ToxinTable.Toxin, _ amounts: AmountReader, _ words: [Int]) -> Double? {
    if let cocoa = toxin.content.milligramsPerGramCocoa, let percent = amounts.percentage(amounts.scope) {
      return cocoa * percent / 100
    }
    return toxin.content.milligramsPerGram
  }

  /// Grams times content: "half a 100 g bar", "six squares", "a packet".
  private func food(_ toxin: ToxinTable.Toxin, _ amounts: AmountReader, _ words: [Int]) -> Eaten? {
    guard let content = content(of: toxin, amounts, words) else { return nil }
    let grams = amounts.masses(words)
    let mass = grams.max()
    var eaten: [Eaten] = grams.map { ($0 * content, "\(Self.rounded($0)) g") }
    let perItem = toxin.content.milligramsPerItem ?? toxin.content.gramsPerItem.map { $0 * content }
    if let perItem {
      for count in amounts.items(words) {
        eaten.append((count * perItem, "\(Self.rounded(count)) of \(Self.rounded(perItem)) mg"))
      }
      if let strip = amounts.strips(words) { eaten.append((strip * perItem, "a strip of \(Self.rounded(strip))")) }
    }
    let packs = amounts.packs(words)
    // "A pack, eleven pieces": where they are counted, the pack is not full.
    for pack in packs where pack.items != nil || perItem == nil || amounts.items(words).isEmpty {
      if let each = toxin.content.milligramsPerItem,
        let count = pack.items ?? toxin.content.itemsPerPack.map({ $0 * pack.share })
      {
        eaten.append((count * each, "a pack of \(Self.rounded(count))"))
      } else {
        let grams = (mass ?? toxin.content.gramsPerPack ?? pack.grams) * pack.share
        eaten.append((grams * content, "a pack of \(Self.rounded(grams)) g at most"))
      }
    }
    for amount in amounts.layAmounts(words) {
      // "Two bars, 100 g each": how much a bar holds is said.
      let grams = amount.isTaste ? amount.grams : mass ?? amount.grams
      let milligrams = max(grams * content, toxin.content.milligramsPerItem ?? 0) * amount.count
      eaten.append((milligrams, "about \(Self.rounded(grams * amount.count)) g at most"))
    }
    return eaten.max { $0.milligrams < $1.milligrams }
  }

  /// Tablets times strength; without a strength the strongest that is commonly sold.
  private func tablets(_ toxin: ToxinTable.Toxin, _ amounts: AmountReader, _ words: [Int]) -> Eaten? {
    let strengths = amounts.strengths(words)
    guard let each = strengths.map(\.milligrams).max() ?? toxin.content.milligramsPerItem else { return nil }
    var counts = amounts.items(words) + strengths.compactMap(\.count)
    let isCounted = !counts.isEmpty
    if let strip = amounts.strips(words), !isCounted { counts.append(strip) }
    for pack in amounts.packs(words) where pack.items != nil || !isCounted {
      if let count = pack.items ?? toxin.content.itemsPerPack.map({ $0 * pack.share }) { counts.append(count) }
    }
    // A lick, a crumb or a bit of a tablet is one at most.
    if counts.isEmpty, amounts.layAmounts(words).contains(where: \.isTaste) { counts.append(1) }
    var doses: [Eaten] = counts.map { ($0 * each, "\(Self.rounded($0)) of \(Self.rounded(each)) mg") }
    doses += strengths.filter(\.isDose).map { ($0.milligrams, "\(Self.rounded($0.milligrams)) mg") }
    return doses.max { $0.milligrams < $1.milligrams }
  }

  static func rounded(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e15 ? String(Int(tenths)) : String(tenths)
  }
}
