import Clinical
import Extraction

/// Sentences chosen for their place in time or for their numbers: the first, the latest value, a series, the rows of a table.
extension AnswerComposer {
  /// Of "when was the first …" the earliest sentence that tells of it.
  func first(of ranked: [Reading]) -> [Reading]? {
    guard question.asks(for: .when), question.asks(for: .first), !question.asks(for: .last) else { return nil }
    let most = ranked.map { $0.features[.own] }.max() ?? 0
    let telling = ranked.filter {
      $0.features[.own] >= most * Self.tellingShare && $0.assertion.isActive && !$0.deniesPart && $0.isAboutPatient
    }
    return telling.min(by: Reading.isEarlier).map { [$0] }
  }

  /// The sentences that have a number beside what is asked about: the latest, or all where a series is asked for.
  func measured(_ ranked: [Reading]) -> [Reading]? {
    let most = ranked.map { $0.features[.own] }.max() ?? 0
    let wantsLevel = question.has([.level, .result])
    let valued = ranked.filter { reading in
      guard reading.features[.valueBeside] > 0, reading.features[.own] >= most * Self.tellingShare else { return false }
      // A dose is no level of the drug.
      let isDose = reading.match.parts.first?.fact.map { $0.kind == .drug && $0.dosage?.dose != nil } ?? false
      return !(wantsLevel && isDose) && !reading.isHypothetical && reading.isAboutPatient
    }.sorted(by: Reading.isEarlier)
    guard let latest = valued.last else { return nil }
    if asksForMany || question.isThenAndNow, let series = series(ranked), let first = series.first {
      if question.isThenAndNow { return [first, series[series.count - 1]] }
      guard let period = question.period else { return Array(series.suffix(Self.seriesLength)) }
      let inside = series.filter { period.contains($0.match.unit.note.recordedAt) }
      return inside.count > 1 ? Array(inside.suffix(Self.seriesLength)) : nil
    }
    guard question.periods.isEmpty, !asksForMany else { return nil }
    return question.asks(for: .last) && !question.asks(for: .first) ? [latest] : nil
  }

  /// The sentences that have a number beside the one thing of which the best of them has one, in time order; nil where they
  /// are not several.
  func series(_ ranked: [Reading]) -> [Reading]? {
    guard let best = ranked.first(where: { $0.features[.valueBeside] > 0 }) else { return nil }
    // Of "the tear test in the left eye" the test is what there are most numbers of.
    let each = best.match.parts.map { thing in
      let closest = ranked.flatMap(\.match.parts).filter { $0.group == thing.group }.map(\.closeness).max() ?? 0
      return ranked.filter { reading in
        reading.isAboutPatient && !reading.isHypothetical && !reading.isDenial
          && reading.match.parts.contains { part in
            part.group == thing.group && part.closeness >= closest * Self.measuredShare
              && part.fact.map { $0.kind != .drug || $0.dosage?.dose == nil } ?? true
              && EvidenceRanking.hasNumber(in: reading.match.unit, beside: part.range, question.classes)
          }
      }
    }
    return each.max { $0.count < $1.count }.flatMap { $0.count > 1 ? $0.sorted(by: Reading.isEarlier) : nil }
  }

  /// Sentences that name less of the question than this share of what the best one names tell of something else.
  private static let tellingShare = 0.9
  /// A series is of one thing: of fructosamine not also of glucose.
  private static let measuredShare = 0.97
  private static let seriesLength = 8

  /// The rows of the table that a line without numbers heads: the last, or all for a trend.
  func rows(under head: Reading, of ranked: [Reading]) -> [Reading] {
    var rows: [Reading] = []
    var position = head.match.unit.position + 1
    while rows.count < Self.tableRows, let next = ranked.first(where: { $0.match.unit.position == position }),
      next.match.unit.note.id == head.match.unit.note.id,
      next.match.unit.text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false
    {
      rows.append(next)
      position += 1
    }
    return question.asks(for: .trend) || question.asks(for: .comparison) ? rows : Array(rows.suffix(1))
  }

  private static let tableRows = 8
}
