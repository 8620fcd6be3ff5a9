package import Clinical

/// Closed classes of words that the program looks for: rows of `Models/extraction/word-classes.tsv`, most with use "slot".
///
/// A word may be in any number of them, and they change nothing of what else it is.
package enum ClosedClass: Int, CaseIterable, Sendable {
  case able, acting, addition, adverb, aim, amountjoint, animalverb, announcing, another, anybody, appointment
  case available, befallen, beside, body, bodyunit, clauseopener, clausestart, clausesubject, concern, concluding
  case condition, conditional, conjunction, continuing, contrast, countable, counted, course, courtesy, cuestart
  case currency, dateword, dating, dead, definite, demonstrative, denial, determiner, does, dose, dosing, drinkable
  case exception, existing, giving, habitual, he, hour, joining, keeping, labfiller, letter, milligram, month
  case noname, notduration, noticing, nounstart, ongoing, parent, participle, particle, partner, piece, pieces
  case pointing, portion, presenting, receiver, reference, repeated, replying, returning, reveals, roughly, scale
  case seen, sentenceopener, sentencestart, sequel, she, short, singular, spokenadverb, subordinating, suiting
  case teller, thirdperson, timed, timeunit, title, together, tookin, unreal, upcoming, vitalfiller, weekday
  case weighedon, whole, wishing, youhave

  /// As the table has it.
  var name: String { String(describing: self) }
}

/// The closed classes a word is in, as bits.
package struct ClosedClassSet: Hashable, Sendable {
  private var bits: UInt128 = 0

  package init() {}

  mutating func insert(_ one: ClosedClass) { bits |= 1 << UInt128(one.rawValue) }

  package func contains(_ one: ClosedClass) -> Bool { bits & (1 << UInt128(one.rawValue)) != 0 }
}

extension ClosedClassSet: Packable {
  package func pack(into packer: inout Packer) { packer.add(bits) }

  package init(from unpacker: inout Unpacker) throws(PackingError) { bits = try unpacker.value() }
}

extension Word {
  /// Whether the word is in a closed class.
  func isOne(of closed: ClosedClass) -> Bool { self.closed.contains(closed) }

  /// Whether it only stands between a name and its value: a word of the class, or a dash.
  func isFiller(_ closed: ClosedClass) -> Bool { isOne(of: closed) || hash == Sign.dash || hash == Sign.minus }
}
