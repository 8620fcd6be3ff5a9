import Clinical

/// The word classes that say who a clause is about.
struct SubjectClasses: Sendable {
  let otherness, quantity, both, group, people, human, first, reflexive, third, they, this, mother: WordClassSet
  let link, place, joint, state, verb, past, who, alone, closing, refusing: WordClassSet
  let whereabouts, unit, masculine, feminine, coat, saying: WordClassSet
  let animal, stock, young, relative, person, owner, det, report, says, agent, male, female: WordClassSet

  /// All kinds of animals.
  let species: WordClassSet

  /// Nouns that can be the head of a subject.
  let heads: WordClassSet
  /// Words that may stand before it.
  let openers: WordClassSet
  let creature: WordClassSet
  let pronoun: WordClassSet
  let telling: WordClassSet

  /// - Throws: ``DataTableError`` naming the class that the table lacks.
  init(_ classes: WordClasses) throws(DataTableError) {
    otherness = try classes.needed("otherness")
    quantity = try classes.needed("quantity")
    both = try classes.needed("both")
    group = try classes.needed("group")
    people = try classes.needed("people")
    human = try classes.needed("human")
    first = try classes.needed("first")
    reflexive = try classes.needed("reflexive")
    third = try classes.needed("third")
    they = try classes.needed("they")
    this = try classes.needed("this")
    mother = try classes.needed("mother")
    link = try classes.needed("link")
    place = try classes.needed("place")
    joint = try classes.needed("joint")
    state = try classes.needed("state")
    verb = try classes.needed("verb")
    past = try classes.needed("past")
    who = try classes.needed("who")
    alone = try classes.needed("alone")
    closing = try classes.needed("closing")
    refusing = try classes.needed("refusing")
    whereabouts = try classes.needed("whereabouts")
    unit = try classes.needed("unit")
    masculine = try classes.needed("masculine")
    feminine = try classes.needed("feminine")
    saying = try classes.needed("predicate").union(try classes.needed("adjective")).union(closing).union(state).union(
      verb)
    coat = try classes.needed("coat")
    species = try classes.species.map { name throws(DataTableError) in try classes.needed(name) }
      .reduce(into: WordClassSet()) { $0.formUnion($1) }
    animal = try classes.needed("animal")
    stock = try classes.needed("stock")
    young = try classes.needed("young")
    relative = try classes.needed("relative")
    person = try classes.needed("person")
    owner = try classes.needed("owner")
    det = try classes.needed("det")
    report = try classes.needed("report")
    says = try classes.needed("says")
    agent = try classes.needed("agent")
    male = try classes.needed("male")
    female = try classes.needed("female")
    creature = animal.union(young)
    heads = creature.union(relative).union(person).union(owner).union(group).union(people).union(human).union(first)
    pronoun = third.union(they)
    openers = det.union(otherness).union(alone).union(quantity).union(both).union(this).union(pronoun)
    telling = report.union(says)
  }
}
