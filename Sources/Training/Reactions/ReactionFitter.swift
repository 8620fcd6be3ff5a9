public import Extraction
public import Clinical
import Foundation

/// Fits the weights of ``ReactionModel`` to labelled passages and notes. Data: `extraction/reaction-exemplars.tsv`.
///
/// Each treatment that a passage names is a case: the one that the label is about has it, others have `none`. Of a whole note the
/// passage that tells is a case, and all that stands apart from it is none.
public struct ReactionFitter: Sendable {
  /// How well the exemplars of writers who were left out were read.
  public struct Figures: Sendable {
    /// Of the exemplars about a reaction or a ban, the part that was read as one.
    public var recall: Double
    /// Of the exemplars that were read as one, the part that is.
    public var precision: Double
    public var exemplars: Int
  }

  struct Case {
    let buckets: [Int]
    var label: ReactionLabel
  }

  struct Exemplar {
    let label: ReactionLabel
    let source: String
    let text: String
    let cases: [Case]
    /// Whether it has still to be found which treatment the label is about.
    let isOpen: Bool
  }

  private let exemplars: [Exemplar]
  private let extractor: FactExtractor

  /// - Parameters:
  ///   - table: columns `label`, `cause`, `passage`, `source` and `text`. `passage` is the part of a whole note that tells it,
  ///     empty where the text is the passage; `cause` is a part of the passage, or empty.
  ///   - extractors: read the texts as notes.
  /// - Throws: ``DataTableError`` for an unknown label, and a cause or passage that is not in its text.
  public init(exemplars table: DataTable, extractors: Extractors) throws(DataTableError) {
    var exemplars: [Exemplar] = []
    extractor = extractors.facts
    for row in table.rows {
      guard let label = ReactionLabel(rawValue: row["label"]) else { throw row.error("label", "is unknown") }
      let text = ReactionText(row["text"], extractor: extractor)
      let cases: [Case]?
      if row["source"].hasPrefix("notes") {
        cases = text.cases(ofNote: label, passage: row["passage"], cause: row["cause"])
      } else {
        cases = text.cases(label, cause: row["cause"])
      }
      guard let cases else { throw row.error("cause", "is not in the text") }
      let isOpen = label != .none && row["cause"].isEmpty && cases.count > 1
      exemplars.append(
        Exemplar(label: label, source: row["source"], text: row["text"], cases: cases, isOpen: isOpen))
    }
    self.exemplars = exemplars
  }

  /// The table's text, fitted to all exemplars.
  public func table(version: String) -> String {
    let model = Self.model(exemplars)
    var lines = [
      "# title: Weights by which a passage's words say that a treatment was not tolerated; learned",
      "# source: 'vetnet evaluate fit-reactions' from extraction/reaction-exemplars.tsv",
      "# licence: MIT, written for VetNet", "# version: \(version)", "label\tbias\tscale\tweights",
    ]
    for (index, label) in ReactionLabel.allCases.enumerated() {
      let bytes = Data(model.steps[index].map { UInt8(bitPattern: $0) })
      lines.append("\(label.rawValue)\t\(model.biases[index])\t\(model.scales[index])\t\(bytes.base64EncodedString())")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Leaves out each source in turn, and reads its texts as notes are read.
  public func crossValidation() -> [(source: String, figures: Figures)] {
    Set(exemplars.map(\.source)).sorted().map { source in
      let model = Self.model(exemplars.filter { $0.source != source })
      let reader = ReactionReader(lexicon: extractor.reactions.lexicon, model: model)
      var counts = (told: 0, read: 0, both: 0, all: 0)
      for exemplar in exemplars where exemplar.source == source {
        let text = ReactionText(exemplar.text, extractor: extractor)
        let isRead = reader.readings(in: text.context, drugs: text.drugs, findings: text.findings)
          .contains { $0.label == .reaction || $0.label == .avoid }
        let isTold = exemplar.label == .reaction || exemplar.label == .avoid
        counts.told += isTold ? 1 : 0
        counts.read += isRead ? 1 : 0
        counts.both += isTold && isRead ? 1 : 0
        counts.all += 1
      }
      return (
        source,
        Figures(
          recall: Double(counts.both) / Double(max(1, counts.told)),
          precision: Double(counts.both) / Double(max(1, counts.read)), exemplars: counts.all)
      )
    }
  }

  /// Fitted to the exemplars whose treatment is known, then to all: of an open one the treatment counts that the first fit thinks
  /// likeliest.
  private static func model(_ exemplars: [Exemplar]) -> ReactionModel {
    let first = Self.model(fitting: exemplars.filter { !$0.isOpen }.flatMap(\.cases))
    let settled = exemplars.flatMap { exemplar -> [Case] in
      guard exemplar.isOpen, let label = ReactionLabel.allCases.firstIndex(of: exemplar.label) else {
        return exemplar.cases
      }
      let shares = exemplar.cases.map { first.probabilities($0.buckets)[label] }
      let best = shares.indices.max { (shares[$0], $1) < (shares[$1], $0) }
      return exemplar.cases.indices.map {
        Case(buckets: exemplar.cases[$0].buckets, label: $0 == best ? exemplar.label : .none)
      }
    }
    return Self.model(fitting: settled)
  }

  private static func model(fitting cases: [Case]) -> ReactionModel {
    let labels = ReactionLabel.allCases
    let weights = SoftmaxRegression.fit(
      cases.map { SoftmaxRegression.Case(buckets: $0.buckets, label: labels.firstIndex(of: $0.label) ?? 0) },
      labels: labels.count, width: ReactionFeatures.bucketCount)
    let rows = weights.rows.map(SoftmaxRegression.quantized)
    return ReactionModel(
      biases: weights.biases.map { Float($0) }, scales: rows.map { Float($0.scale) }, steps: rows.map(\.steps))
  }
}

/// A text read for what it says of treatments.
struct ReactionText {
  let context: FactContext
  let drugs: [DrugMention]
  let findings: [Finding]
  private let treatments: [Treatment]

  init(_ text: String, extractor: FactExtractor) {
    let classifier = extractor.findings.classifier
    context = FactContext(assertions: classifier.context(of: text), classifier: classifier, kind: .consult)
    findings = extractor.findings.findings(in: context.assertions)
    drugs = extractor.drugMentions(in: context)
    treatments = extractor.reactions.lexicon.treatments(in: context.text, drugs: drugs)
  }

  /// The cases of a text that is a passage; nil when the cause is not in it.
  func cases(_ label: ReactionLabel, cause: String) -> [ReactionFitter.Case]? {
    let passage = 0..<context.text.words.count
    guard label != .none else { return cases(of: passage) }
    // Nobody said what it is about.
    if cause.isEmpty { return cases(passage, of: treatments) { _ in label } }
    return cases(passage, label, cause: cause, within: 0..<context.text.bytes.count)
  }

  /// The cases of a whole note: the passage that tells, and passages apart from it.
  func cases(ofNote label: ReactionLabel, passage: String, cause: String) -> [ReactionFitter.Case]? {
    var told = 0..<0
    var result: [ReactionFitter.Case] = []
    if label != .none {
      guard let place = context.text.place(of: passage, within: 0..<context.text.bytes.count) else { return nil }
      told = context.text.wordRange(of: place)
      guard let cases = cases(told, label, cause: cause, within: place) else { return nil }
      result = cases
    }
    for apart in ReactionReader.passages(of: context.text) where !apart.overlaps(told) { result += cases(of: apart) }
    return result
  }

  private func cases(of passage: Range<Int>) -> [ReactionFitter.Case] {
    cases(passage, of: treatments) { _ in ReactionLabel.none }
  }

  private func cases(
    _ passage: Range<Int>, _ label: ReactionLabel, cause: String, within bytes: Range<Int>
  ) -> [ReactionFitter.Case]? {
    guard let place = context.text.place(of: cause, within: bytes) else { return nil }
    let words = context.text.wordRange(of: place)
    var named = treatments
    if !named.contains(where: { passage.contains($0.words.lowerBound) && $0.words.overlaps(words) }) {
      named.append(Treatment(kind: .product, name: cause, words: words))
    }
    return cases(passage, of: named) { treatment in
      let isCause = treatment.words.overlaps(words)
      // Of a class beside its drug nobody said what holds.
      if !isCause, treatment.kind != .drug { return nil }
      return isCause ? label : ReactionLabel.none
    }
  }

  private func cases(
    _ passage: Range<Int>, of treatments: [Treatment], labelled label: (Treatment) -> ReactionLabel?
  ) -> [ReactionFitter.Case] {
    let scene = ReactionScene(context, treatments: treatments, findings: findings)
    var features = ReactionFeatures()
    return treatments.indices.compactMap { place in
      guard passage.contains(treatments[place].words.lowerBound) else { return nil }
      features.read(passage, in: scene, target: place)
      return label(treatments[place]).map { ReactionFitter.Case(buckets: features.buckets.sorted(), label: $0) }
    }
  }
}

extension ScannedText {
  /// UTF-8 bytes of the first place of `part` within some bytes; nil where it does not stand there.
  fileprivate func place(of part: String, within range: Range<Int>) -> Range<Int>? {
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty, wanted.count <= range.count else { return nil }
    return (range.lowerBound...(range.upperBound - wanted.count)).first {
      bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }.map { $0..<($0 + wanted.count) }
  }
}
