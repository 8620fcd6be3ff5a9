import Clinical

/// The word classes that say who a clause is about.
struct SubjectClasses: Sendable {
  let otherness, quantity, both, group, people, human, first, reflexive, third, they, this, mother: WordClassSet
  let link, place, joint, state, verb, past, who, alone, closing, refusing: WordClassSet
  let animal, young, relative, person, owner, det, report, says, agent, male, female: WordClassSet

  /// Nouns that can be the head of a subject.
  let heads: WordClassSet
  /// Words that may stand before it.
  let openers: WordClassSet
  let creature: WordClassSet
  let pronoun: WordClassSet
  let telling: WordClassSet

  /// Nil when a class is missing: then no subject is followed.
  init?(_ classes: WordClasses) {
    func set(_ name: String) -> WordClassSet? { classes.set(named: name) }
    guard let otherness = set("otherness"), let quantity = set("quantity"), let both = set("both"),
      let group = set("group"), let people = set("people"), let human = set("human"), let first = set("first"),
      let reflexive = set("reflexive"), let third = set("third"), let they = set("they"), let this = set("this"),
      let mother = set("mother"), let link = set("link"), let place = set("place"), let joint = set("joint"),
      let state = set("state"), let verb = set("verb"), let past = set("past"), let who = set("who"),
      let alone = set("alone"), let closing = set("closing"), let refusing = set("refusing"),
      let animal = set("animal"), let young = set("young"),
      let relative = set("relative"), let person = set("person"), let owner = set("owner"), let det = set("det"),
      let report = set("report"), let says = set("says"), let agent = set("agent"),
      let male = set("male"), let female = set("female")
    else { return nil }
    (self.otherness, self.quantity, self.both, self.group) = (otherness, quantity, both, group)
    (self.people, self.human, self.first, self.reflexive) = (people, human, first, reflexive)
    (self.third, self.they, self.this, self.mother) = (third, they, this, mother)
    (self.link, self.place, self.joint) = (link, place, joint)
    (self.state, self.verb, self.past, self.who, self.alone) = (state, verb, past, who, alone)
    (self.closing, self.refusing) = (closing, refusing)
    (self.animal, self.young, self.relative, self.person) = (animal, young, relative, person)
    (self.owner, self.det, self.report, self.says) = (owner, det, report, says)
    (self.agent, self.male, self.female) = (agent, male, female)
    creature = animal.union(young)
    heads = creature.union(relative).union(person).union(owner).union(group).union(people).union(human).union(first)
    pronoun = third.union(they)
    openers = det.union(otherness).union(alone).union(quantity).union(both).union(this).union(pronoun)
    telling = report.union(says)
  }
}
