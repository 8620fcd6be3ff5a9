import Clinical

/// Reads what a patient did not tolerate, what it must not be given, and what it was given without harm.
///
/// Notes tell reactions as events ("lips like balloons half an hour after the jab", "d/c'd for vomiting"). A passage of one or
/// two sentences is asked of each treatment that it names; the model was fitted to labelled passages, not to a list of phrases.
public struct ReactionReader: Sendable {
  /// What a passage says of a treatment.
  package struct Reading {
    package let label: ReactionLabel
    let treatment: Treatment
    /// Words of the text.
    let passage: Range<Int>
    let probability: Double

    /// By which it goes before others: a form says too little of what was given.
    var claim: Double { treatment.kind == .product ? probability - ReactionReader.leastLead : probability }
  }

  /// The least probability of a reaction or a ban, 0…1, at which it is on record: so little is enough for somebody who asks about
  /// the very treatment. What warns unasked has to be surer.
  static let leastHarm = 0.25
  /// The least probability of a bare ban, which nothing that happened stands behind.
  static let leastBan = 0.3
  /// The least probability that something was tolerated: what speaks against an alarm has to be sure.
  static let leastTolerance = 0.5
  /// A treatment that is so much less likely than another of the same passage is not what it is about.
  static let leastLead = 0.15
  /// From this probability on the passage says more of who reacted than whose the treatment is.
  static let sureOfPatient = 0.8
  /// A drug that was stopped in the sentence that tells a sign may have caused it: a suspicion, whatever the words.
  static let stoppedBesideSign = 0.3
  /// From this probability on a passage has its treatment, and a longer one around it is not about another.
  static let surePassage = 0.5
  private static let longestPassage = 80
  /// Sentences that a passage may have: what was given, what came of it, what was done.
  private static let mostSentences = 3

  package let lexicon: TreatmentLexicon
  let model: ReactionModel

  /// - Throws: ``DataTableError`` naming the table and row that can't be understood.
  init(treatments: DataTable, classes: DataTable, weights: DataTable) throws(DataTableError) {
    lexicon = try TreatmentLexicon(treatments: treatments, classes: classes)
    model = try ReactionModel(table: weights)
  }

  package init(lexicon: TreatmentLexicon, model: ReactionModel) {
    self.lexicon = lexicon
    self.model = model
  }

  /// The readings of a note in the order of their passages.
  ///
  /// - Complexity: O(sentences × treatments of a sentence × words of a passage).
  package func readings(
    in context: FactContext, drugs: [DrugMention], findings: [Finding], stopped: [Range<Int>] = []
  ) -> [Reading] {
    let text = context.text
    let treatments = lexicon.treatments(in: text, drugs: drugs)
    guard !treatments.isEmpty else { return [] }
    let scene = ReactionScene(context, treatments: treatments, findings: findings)
    let given = treatments.indices.map { Self.named($0, among: treatments, in: text) }
    var features = ReactionFeatures()
    var candidates: [Reading] = []
    for passage in Self.passages(of: text) {
      for (place, target) in treatments.enumerated() where passage.contains(target.words.lowerBound) {
        features.read(passage, in: scene, target: place)
        let probabilities = model.probabilities(features.buckets)
        let isStopped = stopped.contains(target.words) && Self.tellsSign(findings, passage, text)
        let harm = max(probabilities[0] + probabilities[1], isStopped ? Self.stoppedBesideSign : 0)
        if probabilities[2] > harm, probabilities[2] >= Self.leastTolerance {
          candidates.append(
            Reading(label: .tolerated, treatment: given[place], passage: passage, probability: probabilities[2]))
        } else if probabilities[2] <= harm, harm >= Self.leastHarm {
          let isBan = probabilities[1] > probabilities[0]
          if isBan, harm < Self.leastBan { continue }
          candidates.append(
            Reading(
              label: isBan ? .avoid : .reaction, treatment: given[place], passage: passage, probability: harm))
        }
      }
    }
    candidates += Self.listed(candidates, in: scene)
    var chosen: [Reading] = []
    // The surest reading of a mention stands; a form ("tablets") yields to what has a name and is nearly as likely, what treats
    // to what it treats.
    for reading in candidates.sorted(by: Self.goesBefore)
    where !candidates.contains(where: { Self.explains($0, reading) }) {
      let isTold = chosen.contains { other in
        other.passage.overlaps(reading.passage)
          && (other.treatment.name == reading.treatment.name || reading.treatment.kind == .product
            || other.probability > reading.probability + Self.leastLead)
      }
      if !isTold { chosen.append(reading) }
    }
    return chosen.sorted { $0.passage.lowerBound < $1.passage.lowerBound }
  }

  /// A form beside the name of what was given is that: "spot-on (permethrin)", "Metacam tablets".
  private static func named(_ place: Int, among treatments: [Treatment], in text: ScannedText) -> Treatment {
    let form = treatments[place]
    guard form.kind == .product else { return form }
    func isBeside(_ other: Int) -> Bool {
      guard treatments.indices.contains(other), treatments[other].kind == .drug else { return false }
      let (first, second) = (treatments[min(place, other)].words, treatments[max(place, other)].words)
      return first.upperBound <= second.lowerBound
        && (first.upperBound..<second.lowerBound).allSatisfy {
          text.bytes[text.words[$0].range].allSatisfy(brackets.contains)
        }
        && text.sentence(ofWord: first.lowerBound).contains(second.lowerBound)
    }
    return [place - 1, place + 1].first(where: isBeside).map { treatments[$0] } ?? form
  }

  private static let brackets = Set("()[]/-".utf8)

  /// The rest of a list of bans: "no ivermectin, no loperamide (Imodium)" bans all that it denies in one breath.
  private static func listed(_ candidates: [Reading], in scene: ReactionScene) -> [Reading] {
    let text = scene.text
    func isDenied(_ place: Int) -> Bool { scene.assertions[place].polarity == .absent }
    func isJoined(_ one: Int, _ other: Int) -> Bool {
      let between =
        scene.treatments[one].words
        .upperBound..<max(
          scene.treatments[one].words.upperBound, scene.treatments[other].words.lowerBound)
      return between.allSatisfy { text.words[$0].kind == .symbol || joining.contains(text.words[$0].hash) }
        && text.sentence(ofWord: scene.treatments[one].words.lowerBound).contains(
          scene.treatments[other].words.lowerBound)
    }
    return candidates.filter { $0.label == .avoid }.flatMap { ban -> [Reading] in
      guard let place = scene.treatments.firstIndex(where: { $0.words == ban.treatment.words }), isDenied(place) else {
        return []
      }
      var first = place
      while first > 0, isDenied(first - 1), isJoined(first - 1, first) { first -= 1 }
      var last = place
      while last + 1 < scene.treatments.count, isDenied(last + 1), isJoined(last, last + 1) { last += 1 }
      return (first...last).filter { $0 != place }.map {
        Reading(label: .avoid, treatment: scene.treatments[$0], passage: ban.passage, probability: ban.probability)
      }
    }
  }

  private static let joining = Set(["and", "or", "no", "nor", "not"].map { Spelling.hash($0) })

  /// Whether fewer sentences that don't name the treatment of the other say the same of another one: "Zycortal eased. … and
  /// spironolactone is out in him" is about spironolactone.
  private static func explains(_ one: Reading, _ other: Reading) -> Bool {
    one.label != .tolerated && one.treatment.kind != .product && one.probability >= surePassage
      && one.treatment.name != other.treatment.name && one.passage.count < other.passage.count
      && other.passage.lowerBound <= one.passage.lowerBound && one.passage.upperBound <= other.passage.upperBound
      && !one.passage.contains(other.treatment.words.lowerBound)
  }

  private static func goesBefore(_ one: Reading, _ other: Reading) -> Bool {
    // What was borne argues no reaction away that the same words tell.
    if (one.label == .tolerated) != (other.label == .tolerated) { return other.label == .tolerated }
    if one.claim != other.claim { return one.claim > other.claim }
    if one.probability != other.probability { return one.probability > other.probability }
    return (one.passage.lowerBound, one.passage.count, one.treatment.words.lowerBound)
      < (other.passage.lowerBound, other.passage.count, other.treatment.words.lowerBound)
  }

  /// Each sentence, and each with those that follow it.
  package static func passages(of text: ScannedText) -> [Range<Int>] {
    let sentences = text.sentences
    return sentences.indices.flatMap { first in
      (first..<min(first + mostSentences, sentences.count)).compactMap { last in
        let words = sentences[first].lowerBound..<sentences[last].upperBound
        return last == first || words.count <= longestPassage ? words : nil
      }
    }
  }

  /// Whether one sentence tells a sign that the patient has.
  private static func tellsSign(_ findings: [Finding], _ passage: Range<Int>, _ text: ScannedText) -> Bool {
    text.sentence(ofWord: passage.lowerBound).upperBound >= passage.upperBound
      && findings.contains { finding in
        finding.kind == .sign && finding.assertion.isActive
          && passage.contains(text.wordRange(of: finding.range).lowerBound)
      }
  }

  /// A reading as a fact: named after what was borne or not, at the passage that tells it.
  ///
  /// - Parameters:
  ///   - context: the note.
  ///   - drugs: all that it names.
  ///   - findings: all that it names.
  ///   - stopped: words of drugs that the note says were stopped.
  /// - Returns: facts of kind `reaction`, in the order of their passages.
  func facts(
    in context: FactContext, drugs: [DrugMention], findings: [Finding], stopped: [Range<Int>]
  ) -> [Fact] {
    readings(in: context, drugs: drugs, findings: findings, stopped: stopped).compactMap { reading in
      var assertion = context.assertion(of: reading.treatment.words)
      // "Put his sister's dog's spot-on on her neck": whose drug it is says little of who reacted.
      guard assertion.experiencer == .patient || reading.probability >= Self.sureOfPatient else { return nil }
      assertion.experiencer = .patient
      assertion.polarity = reading.label == .tolerated ? .absent : .present
      assertion.temporality = .current
      let named = context.text.byteRange(of: reading.treatment.words)
      let mention = ReactionMention(
        reading.label, of: reading.treatment.kind, named: named,
        probability: (reading.probability * 100).rounded() / 100)
      return Fact(
        .reaction(mention), name: reading.treatment.name, range: context.text.byteRange(of: reading.passage),
        assertion: assertion)
    }
  }
}
