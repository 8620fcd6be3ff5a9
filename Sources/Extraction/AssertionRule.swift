import Clinical

/// A row of `assertion-rules.tsv`: words that change what is said about others, and how far they reach.
struct AssertionRule: Sendable {
  enum Direction: String, Sendable {
    /// The cue stands before what it is about.
    case pre
    case post
    case both
    /// A heading; it is about all that follows under it.
    case heading
    /// Words that look like a cue and are none.
    case block
  }

  enum Axis: UInt8, CaseIterable, Sendable { case polarity, temporality, experiencer }

  /// Axes as bits: rules are read for every word, so they hold no array and no string.
  struct Axes: OptionSet, Sendable {
    let rawValue: UInt8

    func contains(_ axis: Axis) -> Bool { rawValue & 1 << axis.rawValue != 0 }
    mutating func insert(_ axis: Axis) { self = Axes(rawValue: rawValue | 1 << axis.rawValue) }
  }

  /// How far a cue reaches within its sentence; every reach also ends at the words of class `stop`.
  enum Scope: String, Sendable {
    case adjacent
    /// To the next comma.
    case phrase
    /// Over commas as long as the enumeration goes on in nouns.
    case list
    /// As `list`, and in adjectives.
    case adjectives
    /// Over commas only where an "or", "and" or "versus" closes the enumeration.
    case choice
    /// Over commas until someone or something else becomes the subject.
    case clause
    /// Of a heading too: the rest of its sentence, or what follows when its line has nothing else.
    case sentence
    /// Of a heading: its line, or what follows when the line has nothing else.
    case line
    /// Of a heading: to the next heading or empty line.
    case section
  }

  /// How far it reaches, and the classes of words at which it ends before.
  struct Reach: Sendable {
    let scope: Scope
    let stops: WordClassSet
  }

  /// What it may be about.
  struct Targets: Sendable {
    /// The class of which the target must hold a word ("has had" puts a jab in the past, and not a cough); empty for any target.
    var about: WordClassSet = []
    /// The classes of which the target must hold no word (a plan makes tests a matter of the future, but begins its drugs).
    var spares: WordClassSet = []
  }

  let polarity: Polarity?
  let temporality: Temporality?
  let experiencer: Experiencer?
  let direction: Direction
  let reach: Reach
  let targets: Targets
  let priority: Int
  /// The axes it speaks about, or of which it blocks the cues within its own words.
  let axes: Axes

  init(row: DataTable.Row, classes: WordClasses) throws(DataTableError) {
    guard let direction = Direction(rawValue: row["direction"]) else {
      throw row.error("direction", "is no direction")
    }
    guard let scope = Scope(rawValue: row["scope"]) else { throw row.error("scope", "is no scope") }
    self.direction = direction
    var polarity: Polarity?
    var temporality: Temporality?
    var experiencer: Experiencer?
    for value in row["sets"].split(separator: " ") {
      let value = String(value)
      if let known = Polarity(rawValue: value) {
        polarity = known
      } else if let known = Temporality(rawValue: value) {
        temporality = known
      } else if let known = Experiencer(rawValue: value) {
        experiencer = known
      } else {
        throw row.error("sets", "names no value of an axis")
      }
    }
    self.polarity = polarity
    self.temporality = temporality
    self.experiencer = experiencer
    var stops: WordClassSet = .stop
    for name in row["stops"].split(separator: " ") {
      guard let set = classes.set(named: String(name)) else { throw row.error("stops", "names an unknown class") }
      stops.formUnion(set)
    }
    reach = Reach(scope: scope, stops: stops)
    var targets = Targets()
    for name in row["about"].split(separator: " ") {
      let isSpared = name.hasPrefix("!")
      guard let set = classes.set(named: String(isSpared ? name.dropFirst() : name)) else {
        throw row.error("about", "names an unknown class")
      }
      if isSpared { targets.spares.formUnion(set) } else { targets.about.formUnion(set) }
    }
    self.targets = targets
    guard let priority = Int(row["priority"]) else { throw row.error("priority", "is no whole number") }
    self.priority = priority
    var axes: Axes = []
    if polarity != nil { axes.insert(Axis.polarity) }
    if temporality != nil { axes.insert(Axis.temporality) }
    if experiencer != nil { axes.insert(Axis.experiencer) }
    self.axes = axes
    if axes.isEmpty && direction != .heading { throw row.error("sets", "names no value of an axis") }
    if row["cue"].isEmpty { throw row.error("cue", "has no words") }
  }

  /// Whether it is a mere date: the weakest sign that something is past.
  var isDate: Bool { temporality == .historical && direction != .heading && priority <= 41 }

  /// Whether it heads a plan: what is denied under it ("P: no surgery") is so already.
  var isPlan: Bool { direction == .heading && temporality == .hypothetical && priority < 20 }

  /// Whether it makes what follows a condition ("if he vomits"), to the end of the sentence.
  var isCondition: Bool { direction == .pre && reach.scope == .sentence && temporality == .hypothetical }

  /// Whether it denies or doubts some targets only.
  var isSelective: Bool {
    !targets.about.isEmpty && (polarity == .absent || polarity == .uncertain) && direction != .block
  }

  /// Whether the rule holds for a target with these words.
  func concerns(_ target: Range<Int>, of text: ScannedText) -> Bool {
    if targets.about.isEmpty, targets.spares.isEmpty { return true }
    let classes = target.reduce(into: WordClassSet()) { $0.formUnion(text.words[$1].classes) }
    return (targets.about.isEmpty || !classes.isDisjoint(with: targets.about))
      && classes.isDisjoint(with: targets.spares)
  }

  /// Whether its words count on `axis` in that direction; a block counts in both.
  func speaks(of axis: Axis, lookingBack: Bool) -> Bool {
    switch direction {
    case .heading: false
    case .pre: !lookingBack && axes.contains(axis)
    case .post: lookingBack && axes.contains(axis)
    case .both, .block: axes.contains(axis)
    }
  }

  /// Whether the two say different things on `axis`.
  func contradicts(_ other: AssertionRule, on axis: Axis) -> Bool {
    switch axis {
    case .polarity: polarity != other.polarity
    case .temporality: temporality != other.temporality
    case .experiencer: experiencer != other.experiencer
    }
  }
}

extension AssertionRule: Packable {
  func pack(into packer: inout Packer) {
    packer.add(polarity?.rawValue ?? "")
    packer.add(temporality?.rawValue ?? "")
    packer.add(experiencer?.rawValue ?? "")
    direction.pack(into: &packer)
    reach.scope.pack(into: &packer)
    reach.stops.pack(into: &packer)
    targets.about.pack(into: &packer)
    targets.spares.pack(into: &packer)
    packer.add(Int64(priority))
    packer.add(axes.rawValue)
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    polarity = Polarity(rawValue: try unpacker.text())
    temporality = Temporality(rawValue: try unpacker.text())
    experiencer = Experiencer(rawValue: try unpacker.text())
    direction = try unpacker.choice()
    reach = Reach(scope: try unpacker.choice(), stops: try WordClassSet(from: &unpacker))
    targets = Targets(about: try WordClassSet(from: &unpacker), spares: try WordClassSet(from: &unpacker))
    priority = Int(try unpacker.value(Int64.self))
    axes = Axes(rawValue: try unpacker.value())
  }
}
