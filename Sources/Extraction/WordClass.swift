/// The classes of `Models/extraction/word-classes.tsv` that the program itself asks about, in the order of their bits; the table may
/// have others, which only its rules name.
enum WordClass: Int, CaseIterable, Sendable {
  case stop, and, or, predicate, modifier, adjective, subject, detail, answer
  case abbreviation, animal, finding, inserted, telling, refusing, asking, further, caprine
  case young, person, people, whereabouts, group, breeding, relative, human, otherness
  case owner, month, lasting, standing, drug, likely, refuses, replier, hence
  case first, epithet, ingest, aux, negator, willing, performed, quantity, both
  case reflexive, third, they, this, mother, link, place, joint, state
  case verb, past, who, alone, closing, unit, masculine, feminine, coat
  case stock, det, report, says, agent, male, female, see, thinks
  case filler, article, disease, procedure, event, vaccine, canine, feline, equine
  case bovine, ovine, goat, porcine, avian, lagomorph

  /// As the table has it.
  var name: String { String(describing: self) }
}

// Each is computed: a constant shifted by a constant costs nothing, a global would be looked up for every word.
extension WordClassSet {
  init(_ one: WordClass) {
    self.init(bit: one.rawValue)
  }

  static var stop: Self { Self(.stop) }
  static var and: Self { Self(.and) }
  static var or: Self { Self(.or) }
  static var predicate: Self { Self(.predicate) }
  static var modifier: Self { Self(.modifier) }
  static var adjective: Self { Self(.adjective) }
  static var subject: Self { Self(.subject) }
  static var detail: Self { Self(.detail) }
  static var answer: Self { Self(.answer) }
  static var abbreviation: Self { Self(.abbreviation) }
  static var animal: Self { Self(.animal) }
  static var finding: Self { Self(.finding) }
  static var inserted: Self { Self(.inserted) }
  static var telling: Self { Self(.telling) }
  static var refusing: Self { Self(.refusing) }
  static var asking: Self { Self(.asking) }
  static var further: Self { Self(.further) }
  static var caprine: Self { Self(.caprine) }
  static var young: Self { Self(.young) }
  static var person: Self { Self(.person) }
  static var people: Self { Self(.people) }
  static var whereabouts: Self { Self(.whereabouts) }
  static var group: Self { Self(.group) }
  static var breeding: Self { Self(.breeding) }
  static var relative: Self { Self(.relative) }
  static var human: Self { Self(.human) }
  static var otherness: Self { Self(.otherness) }
  static var owner: Self { Self(.owner) }
  static var month: Self { Self(.month) }
  static var lasting: Self { Self(.lasting) }
  static var standing: Self { Self(.standing) }
  static var drug: Self { Self(.drug) }
  static var likely: Self { Self(.likely) }
  static var refuses: Self { Self(.refuses) }
  static var replier: Self { Self(.replier) }
  static var hence: Self { Self(.hence) }
  static var first: Self { Self(.first) }
  static var epithet: Self { Self(.epithet) }
  static var ingest: Self { Self(.ingest) }
  static var aux: Self { Self(.aux) }
  static var negator: Self { Self(.negator) }
  static var willing: Self { Self(.willing) }
  static var performed: Self { Self(.performed) }
  static var quantity: Self { Self(.quantity) }
  static var both: Self { Self(.both) }
  static var reflexive: Self { Self(.reflexive) }
  static var third: Self { Self(.third) }
  static var they: Self { Self(.they) }
  static var this: Self { Self(.this) }
  static var mother: Self { Self(.mother) }
  static var link: Self { Self(.link) }
  static var place: Self { Self(.place) }
  static var joint: Self { Self(.joint) }
  static var state: Self { Self(.state) }
  static var verb: Self { Self(.verb) }
  static var past: Self { Self(.past) }
  static var who: Self { Self(.who) }
  static var alone: Self { Self(.alone) }
  static var closing: Self { Self(.closing) }
  static var unit: Self { Self(.unit) }
  static var masculine: Self { Self(.masculine) }
  static var feminine: Self { Self(.feminine) }
  static var coat: Self { Self(.coat) }
  static var stock: Self { Self(.stock) }
  static var det: Self { Self(.det) }
  static var report: Self { Self(.report) }
  static var says: Self { Self(.says) }
  static var agent: Self { Self(.agent) }
  static var male: Self { Self(.male) }
  static var female: Self { Self(.female) }
  static var see: Self { Self(.see) }
  static var thinks: Self { Self(.thinks) }
  static var filler: Self { Self(.filler) }
  static var article: Self { Self(.article) }
  static var disease: Self { Self(.disease) }
  static var procedure: Self { Self(.procedure) }
  static var event: Self { Self(.event) }
  static var vaccine: Self { Self(.vaccine) }
  static var canine: Self { Self(.canine) }
  static var feline: Self { Self(.feline) }
  static var equine: Self { Self(.equine) }
  static var bovine: Self { Self(.bovine) }
  static var ovine: Self { Self(.ovine) }
  static var goat: Self { Self(.goat) }
  static var porcine: Self { Self(.porcine) }
  static var avian: Self { Self(.avian) }
  static var lagomorph: Self { Self(.lagomorph) }
}

extension WordClassSet {
  /// Nouns for animals.
  static var creature: Self { .animal.union(.young) }
  /// All kinds of animals.
  static var species: Self {
    .canine.union(.feline).union(.equine).union(.bovine).union(.ovine).union(.goat).union(.porcine).union(.avian)
      .union(.lagomorph)
  }
  static var children: Self { .person.union(.people) }
  /// People by themselves: who owns, brings, writes.
  static var somebody: Self { .owner.union(.person).union(.human) }
  /// Who may own what an animal gets into.
  static var others: Self { .somebody.union(.relative).union(.otherness) }
  /// Nouns whose plural is in the same classes.
  static var plurals: Self { .animal.union(.children).union(.relative).union(.human).union(.species) }
  /// Nouns that can be the head of a subject.
  static var heads: Self { .creature.union(.relative).union(.somebody).union(.group).union(.people).union(.first) }
  static var pronoun: Self { .third.union(.they) }
  /// Words that may stand before the head of a subject.
  static var openers: Self {
    .det.union(.otherness).union(.alone).union(.quantity).union(.both).union(.this).union(.pronoun)
  }
  /// What people say and report.
  static var speaking: Self { .report.union(.says) }
  /// What is said of an animal behind it.
  static var saying: Self { .predicate.union(.adjective).union(.closing).union(.state).union(.verb) }
}
