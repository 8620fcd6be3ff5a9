import Clinical

/// How late a sentence was written among those that compete.
extension EvidenceRanking {
  /// Sentences that name less than this share of what the best one names don't say which notes compete.
  private static let competingShare = 0.6

  static func measureRecency(_ readings: inout [Reading], _ question: Question) {
    let most = readings.map { $0.features[.own] }.max() ?? 0
    let dates = Set(
      readings.filter { $0.features[.own] >= most * competingShare }.map(\.match.unit.note.recordedAt)
    ).sorted()
    guard dates.count > 1 else { return }
    for index in readings.indices {
      let date = readings[index].match.unit.note.recordedAt
      let later = dates.count { $0 > date }
      let place = 1 - Double(min(later, dates.count - 1)) / Double(dates.count - 1)
      readings[index].features[question.recency] = place
    }
  }
}

extension Question {
  /// Which way time counts.
  var recency: EvidenceFeature {
    if asks(for: .first) { return .recencyFirst }
    if asks(for: .last) || asks(for: .current) || asks(for: .next) || isAboutPresent { return .recencyNow }
    if isAboutPast { return .recencyPast }
    return isTerse ? .recencyTerse : .recencyAny
  }
}
