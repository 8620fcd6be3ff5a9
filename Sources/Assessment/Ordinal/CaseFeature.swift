import Clinical

/// A kind of feature. The features of a block make a vector of length 1 together, so that a long letter is not more urgent for
/// being long, and each block has its own share in a judgement.
///
/// Those that ``CaseModel`` sketches exemplars by come first: their buckets fit two bytes.
package enum FeatureBlock: String, CaseIterable, Sendable {
  /// The words as they stand.
  case words
  /// Two words beside each other, articles and the like left out.
  case pairs
  /// Meanings of the concept lexicon, named apart where they are denied, past or another animal's.
  case signs
  /// Two stems that stand beside each other or have one word between.
  case stems
  /// Words of the first and of the last sentence, where people say what they want.
  case places
  /// Groups of three to five letters: misspelt and unknown words still share most of them with known ones.
  case letters
  /// Two stems of one sentence, a few words apart, in either order: "his belly is, would you believe it, tight".
  case clausePairs = "clause pairs"
  /// Two meanings that a text has both.
  case signPairs = "sign pairs"
  /// Two meanings in one sentence, denied ones too: one decisive line counts in a long letter.
  case sentenceSigns = "sentence signs"
  /// What the patient's kind makes of a meaning or of a finding.
  case speciesSigns = "species signs"
  /// What the rules found, and at which level.
  case findings
  /// What the rules say of airway, breathing, circulation, disability and exposure.
  case survey
  /// Species, age, sex and how the message came.
  case patient
  /// What the cues say of the kind of visit and the field of work.
  case routing

  /// How many buckets its features are hashed into: about as many as it has features that several exemplars show.
  package var bucketCount: Int {
    switch self {
    case .clausePairs: 1 << 16
    case .letters, .signPairs, .sentenceSigns: 1 << 15
    case .words, .stems: 1 << 14
    case .pairs, .places, .speciesSigns: 1 << 13
    case .signs: 1 << 12
    case .findings: 1 << 10
    case .patient: 1 << 8
    case .routing: 1 << 7
    case .survey: 1 << 6
    }
  }

  /// Its place among all blocks.
  package var index: Int { Self.indices[self] ?? 0 }

  /// Its first bucket.
  package var firstBucket: Int { Self.starts[index] }

  /// Its buckets.
  package var buckets: Range<Int> { firstBucket..<(firstBucket + bucketCount) }

  private static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
  private static let starts: [Int] = allCases.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.bucketCount) }
  /// Of all blocks together.
  static let bucketTotal = starts.last ?? 0
}

/// One thing a case shows.
package struct CaseFeature: Hashable, Sendable {
  package let block: FeatureBlock
  /// Within its block: `limp`, `not-sign:blood`, `rule:gdv red`.
  let name: String
  /// Indices of ``IntakeWord`` that show it; nil for what is known of the patient, and for letters.
  var words: Range<Int>?

  package init(_ block: FeatureBlock, _ name: String, words: Range<Int>? = nil) {
    self.block = block
    self.name = name
    self.words = words
  }

  /// The feature as numbers.
  ///
  /// FNV-1a of the name: some bits choose the bucket, others are the mark.
  package var code: FeatureCode {
    var hash = FNV1a.hash(name.utf8)
    hash ^= hash >> 29
    return FeatureCode(
      bucket: Int32(block.firstBucket + Int((hash ^ (hash >> 47)) & UInt64(block.bucketCount - 1))),
      mark: UInt16(truncatingIfNeeded: hash >> 20))
  }
}

/// Where a feature's weights stand, and a mark by which it is told from others that fall to the same place.
package struct FeatureCode: Hashable, Sendable {
  /// Among ``CaseVectorizer/buckets``.
  package let bucket: Int32
  let mark: UInt16
}
