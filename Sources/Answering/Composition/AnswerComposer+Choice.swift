import Clinical

/// Which of the ranked sentences to show.
extension AnswerComposer {
  /// The sentences to show: the best, what stands beside it in its note, and other notes that fit nearly as well.
  func chosen(_ readings: [Reading], of ranked: [Reading]) -> [Reading] {
    guard let best = readings.first else { return [] }
    if let said = first(of: ranked) ?? measured(ranked) { return said }
    let times = times(of: readings)
    if times.count > 1 {
      // Then against now: the best of each time.
      let each = times.flatMap { time in
        readings.filter { time.contains($0.match.unit.note.recordedAt) }.prefix(2)
      }
      if !each.isEmpty { return each.sorted(by: Reading.isEarlier) }
    }
    if question.asks(for: .why) {
      // The reason for something often stands in the sentences before it or the one after.
      let place = best.match.unit.position
      let around = ranked.filter {
        (place - 4...place + 1).contains($0.match.unit.position) && $0.match.unit.note.id == best.match.unit.note.id
      }
      // Another note may tell of the same event and give the reason too.
      let other = readings.first { $0.match.unit.note.id != best.match.unit.note.id }
        .flatMap { $0.share >= best.share * limits.shares.note ? $0 : nil }
      return (around + (other.map { [$0] } ?? [])).sorted(by: Reading.isEarlier)
    }
    var notes = [best.match.unit.note.id]
    let noteLimit = asksForMany ? Int(limits.counts.notesOfList) : Int(limits.counts.notes)
    var counts: [String: Int] = [:]
    var chosen: [Reading] = []
    for reading in readings {
      let id = reading.match.unit.note.id
      let isNewNote = !notes.contains(id)
      let least =
        best.share * (isNewNote ? (asksForMany ? limits.shares.list : limits.shares.note) : limits.shares.sentence)
      guard reading.share >= least,
        counts[id, default: 0] < (id == notes[0] ? Int(limits.counts.sentencesOfNote) : Self.sentencesOfFurtherNote)
      else { continue }
      if isNewNote {
        guard notes.count < noteLimit else { continue }
        notes.append(id)
      }
      counts[id, default: 0] += 1
      chosen.append(reading)
    }
    if question.wantsValue {
      for head in chosen where !head.signs.contains(.number) {
        chosen += rows(under: head, of: ranked).filter { row in
          !chosen.contains { $0.match.unit.position == row.match.unit.position }
        }
      }
    }
    if isOpen {
      // What happened goes on in the next sentences.
      let after = best.match.unit.position + 1
      for position in after..<(after + Int(limits.counts.following)) {
        guard !chosen.contains(where: { $0.match.unit.position == position }),
          let next = ranked.first(where: { $0.match.unit.position == position }),
          next.match.unit.note.id == best.match.unit.note.id
        else { break }
        chosen.append(next)
      }
    }
    return chosen.sorted(by: Reading.isEarlier)
  }

  /// The times that a question compares: those it names; of "worse than in June last year" that, and what was written since.
  private func times(of readings: [Reading]) -> [Range<Timestamp>] {
    guard let then = question.period, question.periods.count == 1, question.asks(for: .comparison),
      question.isYesOrNo, !question.isSince
    else { return question.periods }
    let written = readings.map(\.match.unit.note.recordedAt)
    guard written.contains(where: then.contains), let last = written.max(), last >= then.upperBound else {
      return question.periods
    }
    return [then, then.upperBound..<last.adding(days: 1)]
  }

  /// Whether neither "no" nor a value is an answer: why, what happened, how did it go.
  private var isOpen: Bool {
    !question.isYesOrNo && question.roles.isDisjoint(with: [.amount, .when, .last, .count, .frequency, .side, .trend])
  }

  private static let sentencesOfFurtherNote = 2

  var asksForMany: Bool {
    question.asksForSeries || !question.roles.isDisjoint(with: [.trend, .count, .comparison, .list])
  }
}
