/// Whether a clause tells a past event, by its finite verb: "my friend's cat was poorly on it" and not "the housemate is fine".
struct ClauseTense: Sendable {
  private let past: WordClassSet
  private let pronoun: WordClassSet
  /// People's illnesses go on though they are told in the past: "O was coughing all through the consult".
  private let people: WordClassSet
  private let creatures: WordClassSet

  /// Nil when a class is missing: then nothing is told in the past.
  init?(_ classes: WordClasses) {
    guard let past = classes.set(named: "past"), let third = classes.set(named: "third"),
      let they = classes.set(named: "they"), let owner = classes.set(named: "owner"),
      let person = classes.set(named: "person"), let human = classes.set(named: "human"),
      let people = classes.set(named: "people"), let first = classes.set(named: "first"),
      let animal = classes.set(named: "animal"), let young = classes.set(named: "young"),
      let relative = classes.set(named: "relative"), let group = classes.set(named: "group")
    else { return nil }
    self.past = past
    pronoun = third.union(they)
    self.people = owner.union(person).union(human).union(people).union(first)
    creatures = animal.union(young).union(relative).union(group)
  }

  /// Whether what is said of another animal is over: its last finite verb before the target's end is one of the past, or it died.
  ///
  /// "Has been coughing" goes on, and behind "may" or "to" nothing has happened at all.
  ///
  /// - Parameters:
  ///   - subject: the words that name whose story it is; the verb may be among them ("brother had").
  ///   - target: what is asked about; it may hold the verb ("was [run over]", "they [cleared]").
  ///   - text: the words.
  /// - Returns: false for people, and where no verb tells.
  func isPast(from subject: Range<Int>, to target: Range<Int>, in text: ScannedText) -> Bool {
    guard subject.lowerBound < target.upperBound, !isPerson(subject, text) else { return false }
    var isPast = false
    var index = subject.lowerBound
    while index < target.upperBound {
      let word = text.words[index]
      let before = index > 0 ? text.words[index - 1].classes : []
      index += 1
      guard word.kind == .word else { continue }
      if Self.present.contains(word.hash) || Self.unreal.contains(word.hash) {
        isPast = false
        // The participle belongs to its helping verb: "is treated", "has died", "may have had".
        while index < target.upperBound, text.words[index].classes.isSuperset(of: past) { index += 1 }
      } else if word.classes.isSuperset(of: past) || Self.denied.contains(word.hash) {
        // Within the target a participle is no verb ("a [fractured pelvis]"), unless a pronoun stands before it.
        if index <= target.lowerBound || !before.isDisjoint(with: pronoun) { isPast = true }
      }
    }
    return isPast
  }

  /// Whether between a subject and the target it says that the subject died: nothing about it is of today.
  func isDead(from subject: Range<Int>, to target: Range<Int>, in text: ScannedText) -> Bool {
    guard subject.lowerBound < target.lowerBound else { return false }
    return (subject.lowerBound..<target.lowerBound).contains { Self.dead.contains(text.words[$0].hash) }
  }

  /// "My friend's cat" is no person: the last noun that owns nothing tells whose story it is.
  private func isPerson(_ subject: Range<Int>, _ text: ScannedText) -> Bool {
    let nouns = subject.filter { !text.words[$0].classes.isDisjoint(with: people.union(creatures)) }
    guard let noun = nouns.last(where: { !text.isPossessive($0) }) ?? nouns.last else { return false }
    return text.words[noun].classes.isDisjoint(with: creatures)
  }

  private static let present = Set(
    [
      "is", "are", "am", "isnt", "arent", "has", "have", "hasnt", "havent", "does", "doesnt", "hes", "shes", "theyre",
      "now", "still", "currently", "remains", "keeps", "gets", "takes", "lives",
    ].map { Spelling.hash($0) })
  private static let unreal = Set(
    ["may", "might", "can", "could", "will", "would", "should", "to", "must"].map { Spelling.hash($0) })
  private static let denied = Set(["wasnt", "werent", "hadnt", "didnt"].map { Spelling.hash($0) })
  private static let dead = Set(
    [
      "died", "pts", "euthanased", "euthanised", "euthanized", "dead", "deceased", "culled", "perished", "drowned",
      "killed",
    ].map { Spelling.hash($0) })
}
