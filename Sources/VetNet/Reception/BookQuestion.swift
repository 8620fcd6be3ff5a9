import Clinical
import Store

/// Tells a question about the appointment book ("who is free at 3 today?") from every other, and reads what it asks.
///
/// It is one only where every word is accounted for: by a table of a few dozen words (`Models/reception/book-words.tsv`), a time, a
/// length, or a name of the practice's staff or rooms; and one of the words has to say that something is free. A question about an
/// animal has at least one word that is none of these.
struct BookQuestion {
  enum Use: String {
    case available, slot, vet, nurse, person, room, ask, frame
  }

  private let phrases: [(words: [String], use: Use)]

  /// - Throws: ``DataTableError`` for a use that isn't known.
  init(table: DataTable) throws(DataTableError) {
    var phrases: [(words: [String], use: Use)] = []
    for row in table.rows {
      guard let use = Use(rawValue: row["use"]) else { throw row.error("use", "is no use of such words") }
      for text in row.list("words") { phrases.append((text.split(separator: " ").map(String.init), use)) }
    }
    self.phrases = phrases.sorted { $0.words.count > $1.words.count }
  }

  /// Longer ones are stories, not questions at the desk.
  private static let wordLimit = 20

  private static let parts: [String: Range<Int>] = [
    "morning": 0..<720, "afternoon": 720..<1080, "evening": 1020..<1440, "tonight": 1020..<1440,
  ]

  /// The words of a question; empty where it can be none about the book, which most are seen not to be by this alone.
  func words(_ question: String) -> [String] {
    guard question.utf8.count <= 200 else { return [] }
    let words = MomentReader.words(question).map { word in
      String(word.drop { "\"“(".contains($0) }.reversed().drop { "\".”)".contains($0) && word != "a.m." }.reversed())
    }.filter { !$0.isEmpty }
    let says = words.contains { word in
      phrases.contains { ($0.use == .available || $0.use == .slot) && $0.words[0] == word }
    }
    return words.count <= Self.wordLimit && says ? words : []
  }

  /// What ``words(_:)`` ask, with the ids and names of staff and rooms that can be asked about; nil where it isn't about the book.
  func query(
    _ words: [String], reader: MomentReader, staff: [(id: String, name: String)], rooms: [(id: String, name: String)]
  ) -> FreeQuery? {
    guard !words.isEmpty else { return nil }
    var moment = MomentReader.Found()
    var asked = Asked()
    var index = 0
    while index < words.count {
      if let count = length(words, at: index, &asked) ?? named(words, at: index, staff, rooms, &asked)
        ?? phrase(words, at: index, &asked)
      {
        index += count
      } else if let window = Self.parts[words[index]] {
        guard asked.window == nil else { return nil }
        asked.window = window
        if words[index] == "tonight" { _ = moment.take(.date(reader.today)) }
        index += 1
      } else if words[index] == "this" || words[index] == "in", index + 1 < words.count,
        Self.parts[words[index + 1]] != nil || words[index + 1] == "the"
      {
        index += 1
      } else if let (piece, count) = (try? reader.piece(words, at: index)) ?? nil, moment.take(piece) {
        index += count
      } else if let clock = ClockReading(words[index]), clock.isBare, index > 0, moment.take(.clock(clock)) {
        index += 1
      } else {
        return nil
      }
    }
    guard asked.uses.contains(.available) || (asked.uses.contains(.slot) && asked.uses.contains(.ask)) else {
      return nil
    }
    return asked.query(reader.resolve(moment), reader)
  }

  /// What was found beside times.
  private struct Asked {
    var uses: Set<Use> = []
    var people: [String] = []
    var rooms: [String] = []
    var minutes: Int?
    var window: Range<Int>?

    func query(_ moment: WrittenMoment, _ reader: MomentReader) -> FreeQuery? {
      // Somebody or something has to be meant: "is it free today" is about a price.
      let isAboutSomething =
        !people.isEmpty || !rooms.isEmpty || !uses.isDisjoint(with: [.person, .vet, .nurse, .room, .slot])
      guard isAboutSomething || moment.minuteOfDay != nil && uses.contains(.ask) else { return nil }
      var at = moment.exact
      let date = moment.date ?? at.map(reader.zone.date) ?? reader.today
      if at == nil, let minute = moment.minuteOfDay { at = reader.zone.timestamp(of: date, minuteOfDay: minute) }
      let isAboutRooms = !rooms.isEmpty || uses.contains(.room)
      let isAboutPeople = !people.isEmpty || !uses.isDisjoint(with: [.person, .vet, .nurse])
      return FreeQuery(
        date: date, at: at, window: window, minutes: minutes, people: people, rooms: rooms,
        wantsPeople: isAboutPeople || !isAboutRooms, wantsRooms: isAboutRooms,
        role: uses.contains(.vet) ? .veterinarian : uses.contains(.nurse) ? .nurse : nil)
    }
  }

  /// `20 minutes`, `half an hour`, `20min`.
  private func length(_ words: [String], at index: Int, _ asked: inout Asked) -> Int? {
    func take(_ minutes: Int, _ count: Int) -> Int? {
      guard asked.minutes == nil, (1...600).contains(minutes), index == 0 || words[index - 1] != "in" else {
        return nil
      }
      asked.minutes = minutes
      return count
    }
    let rest = words[index...].prefix(3).map { $0 }
    if rest.starts(with: ["half", "an", "hour"]) { return take(30, 3) }
    if rest.starts(with: ["an", "hour"]) { return take(60, 2) }
    let digits = rest[0].prefix(while: \.isNumber)
    guard let number = Int(digits) else { return nil }
    let isApart = digits.count == rest[0].count
    let unit = isApart ? rest.dropFirst().first ?? "" : String(rest[0].dropFirst(digits.count))
    switch unit {
    case "min", "mins", "minute", "minutes": return take(number, isApart ? 2 : 1)
    case "hour", "hours": return take(60 * number, isApart ? 2 : 1)
    default: return nil
    }
  }

  /// The longest run of words that names one member of staff or one room.
  private func named(
    _ words: [String], at index: Int, _ staff: [(id: String, name: String)], _ rooms: [(id: String, name: String)],
    _ asked: inout Asked
  ) -> Int? {
    for count in stride(from: min(5, words.count - index), to: 0, by: -1) {
      var name = words[index..<(index + count)].joined(separator: " ")
      if name.hasSuffix("'s") { name = String(name.dropLast(2)) }
      // A number alone is a time, a word of the table what the table says, unless it is all of a name.
      guard !name.allSatisfy(\.isNumber), count > 1 || !phrases.contains(where: { $0.words == [name] }) else {
        continue
      }
      if Weekday.number(name) != nil { continue }
      let people = Practice.Workplace.meant(name, among: staff).filter { Self.isNamed(name, staff[$0]) }
      if people.count == 1 {
        asked.people.append(staff[people[0]].id)
        return count
      }
      let found = Practice.Workplace.meant(name, among: rooms).filter { Self.isNamed(name, rooms[$0]) }
      if found.count == 1 {
        asked.rooms.append(rooms[found[0]].id)
        return count
      }
    }
    // A room that is called by one word of the table, such as Theatre.
    let whole = rooms.indices.filter { rooms[$0].name.isSameName(as: words[index]) }
    guard whole.count == 1 else { return nil }
    asked.rooms.append(rooms[whole[0]].id)
    return 1
  }

  /// Whether words are an id or whole words of a name: beginnings are for commands, where nothing else can be meant.
  private static func isNamed(_ name: String, _ entry: (id: String, name: String)) -> Bool {
    entry.id.lowercased() == name || name.nameWords.allSatisfy { entry.name.nameWords.contains($0) || $0 == "dr" }
  }

  private func phrase(_ words: [String], at index: Int, _ asked: inout Asked) -> Int? {
    guard let found = phrases.first(where: { words[index...].starts(with: $0.words) }) else { return nil }
    // A number behind "at" or a weekday's "next" belong to the time.
    if found.words == ["next"], index + 1 < words.count, Weekday.number(words[index + 1]) != nil { return nil }
    asked.uses.insert(found.use)
    return found.words.count
  }
}

extension Practice.Reception {
  /// What a question asks of the book; nil where it is about anything else.
  func bookQuery(_ question: String, now: Timestamp) throws -> FreeQuery? {
    let reading = try models.bookQuestion()
    let words = reading.words(question)
    guard !words.isEmpty else { return nil }
    return try reporting {
      reading.query(
        words, reader: practice.settings.moments.at(now, looksBack: false),
        staff: try connection.staff.list().map { ($0.value.id, $0.value.name) },
        rooms: try connection.resources.list().map { ($0.value.id, $0.value.name) })
    }
  }
}

extension ModelDirectory {
  func bookQuestion() throws -> BookQuestion {
    try stage("book question") {
      let table = try table("reception/book-words.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in try BookQuestion(table: table) }
    }
  }
}
