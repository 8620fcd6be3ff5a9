import Clinical

/// How well a column's cells suit a field, -1...1, and the reason in a few words.
struct ValueFit {
  let value: Double
  let reason: String

  init(_ value: Double, _ reason: String) {
    self.value = min(1, max(-1, value))
    self.reason = reason
  }

  static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// What the other tables of an export have, as far as it is known.
  struct Others {
    /// Kind to the values of its tables' ids.
    var ids: [MappedKind: Set<UInt64>] = [:]
    var names: [MappedKind: Set<UInt64>] = [:]
  }

  static func of(_ column: ColumnProfile, _ sort: ValueSort, _ tables: GuessTables, _ others: Others) -> ValueFit {
    guard !column.cells.isEmpty else { return ValueFit(-0.2, "empty") }
    switch sort {
    case .id: return id(column)
    case .name: return name(column, distinctLimit: 0.02)
    case .given:
      return column[.name] > 0.9 && column[.flag] < 0.5 && column.meanLength < 14
        ? ValueFit(0.5, "single names") : ValueFit(-0.8, "no names")
    case .reference(let kind): return reference(column, others.ids[kind], kind)
    case .nameOf(let kind):
      let fit = reference(column, others.names[kind], kind)
      return fit.value > 0 ? fit : ValueFit(-0.6, "no names of \(kind.rawValue)")
    case .code(let list): return code(column, list, tables.codes)
    case .sex: return code(column, "sex", tables.codes)
    case .dead:
      guard column.codes != nil, column[.date] < 0.1 else { return ValueFit(-1, "no list of words") }
      return flagged(column, ["dead", "flag"], tables.codes)
    case .neutered:
      guard column.codes != nil else { return ValueFit(-1, "no list of words") }
      return flagged(column, ["neutered", "flag"], tables.codes)
    default: return plain(column, sort)
    }
  }

  private static func plain(_ column: ColumnProfile, _ sort: ValueSort) -> ValueFit {
    func share(_ sign: ColumnProfile.Sign, _ what: String) -> ValueFit {
      ValueFit(column[sign] * 2 - 1, "\(percent(column[sign])) are \(what)")
    }
    switch sort {
    case .phone: return share(.phone, "telephone numbers")
    case .email: return share(.email, "e-mail addresses")
    case .date: return share(.date, "dates")
    case .time: return share(.time, "times")
    case .hours: return share(.hours, "stretches of time")
    case .unit: return share(.unit, "units of weight")
    case .chip: return share(.chip, "chips' fifteen digits")
    case .weight:
      guard let median = column.median ?? (column[.weightWithUnit] > 0.3 ? 5 : nil), median > 0.01, median < 2000 else {
        return ValueFit(-1, "no weights")
      }
      return ValueFit(
        column[.weight] * 1.4 - 0.9 + column[.weightWithUnit] * 0.5, "\(percent(column[.weight])) can be weights")
    case .minutes:
      guard let median = column.median, median >= 3, median <= 480 else { return ValueFit(-1, "no minutes") }
      return ValueFit(column[.whole] - 0.5, "whole numbers around \(Int(median))")
    case .count:
      guard let median = column.median, median >= 1, median <= 50 else { return ValueFit(-1, "no counts") }
      return ValueFit(column[.whole] - 0.6, "small whole numbers")
    case .prose:
      if column.meanLength < 12 { return ValueFit(-1, "too short for texts") }
      return ValueFit((column.meanLength - 25) / 40, "\(Int(column.meanLength)) characters on average")
    case .words:
      let isText = column[.date] < 0.2 && column[.number] < 0.3 && column[.email] < 0.1 && column.meanLength < 80
      return isText ? ValueFit(0.3, "short texts") : ValueFit(-0.8, "no short texts")
    case .address:
      let isText = column[.date] < 0.1 && column[.email] < 0.1 && column[.phone] < 0.5 && column.meanLength < 60
      return isText ? ValueFit(0.3, "short texts") : ValueFit(-0.8, "no address")
    default: return ValueFit(0, "")
    }
  }

  private static func id(_ column: ColumnProfile) -> ValueFit {
    if column[.date] > 0.3 || column.meanLength > 40 || column[.email] > 0.1 || column[.time] > 0.3 {
      return ValueFit(-1, "no ids")
    }
    if column.distinct > 0.999, column.filled > 0.999 { return ValueFit(0.8, "each row has another") }
    if column.distinct > 0.98, column.filled > 0.98 { return ValueFit(0, "nearly each row has another") }
    return ValueFit(-0.9, "rows share values")
  }

  private static func name(_ column: ColumnProfile, distinctLimit: Double) -> ValueFit {
    guard column[.name] > 0.7, column[.flag] < 0.5, column.distinct > distinctLimit else {
      return ValueFit(-0.8, "no names")
    }
    return ValueFit(column[.name] - 0.5, "\(percent(column[.name])) can be names")
  }

  private static func reference(_ column: ColumnProfile, _ known: Set<UInt64>?, _ kind: MappedKind) -> ValueFit {
    if column[.date] > 0.3 || column.meanLength > 40 || column[.time] > 0.3 || column[.email] > 0.1 {
      return ValueFit(-1, "no ids")
    }
    guard let known, !known.isEmpty else { return ValueFit(0.1, "could be ids") }
    let share = Double(column.hashes.intersection(known).count) / Double(max(1, column.hashes.count))
    if share > 0.5 { return ValueFit(share, "\(percent(share)) of the values are \(kind.rawValue) of this export") }
    // A table of staff may lack those who left; animals of another table are other animals.
    return ValueFit(
      kind == .staff || kind == .resources ? 0 : -0.5, "few of the values are \(kind.rawValue) of this export")
  }

  private static func code(_ column: ColumnProfile, _ list: String, _ codes: CodeBook) -> ValueFit {
    guard let words = column.codes else {
      return list == "visit_type" ? ValueFit(-0.2, "many words") : ValueFit(-0.9, "too many words for a list")
    }
    var known = 0.0
    var all = 0.0
    for (word, count) in words {
      all += Double(count)
      if let meaning = codes.meaning(of: word, in: list) { known += Double(count) * (meaning.isSure ? 1 : 0.6) }
    }
    let share = known / max(1, all)
    return ValueFit(share * 1.4 - 0.4, "\(percent(share)) are known words for it")
  }

  private static func flagged(_ column: ColumnProfile, _ lists: [String], _ codes: CodeBook) -> ValueFit {
    guard let words = column.codes, words.count <= 12 else { return ValueFit(-1, "no list of words") }
    let known = words.filter { word in lists.contains { codes.meaning(of: word.word, in: $0)?.isSure == true } }
    let share = Double(known.reduce(0) { $0 + $1.count }) / Double(max(1, words.reduce(0) { $0 + $1.count }))
    return ValueFit(share * 1.2 - 0.6, "\(percent(share)) are words for yes or no")
  }
}
