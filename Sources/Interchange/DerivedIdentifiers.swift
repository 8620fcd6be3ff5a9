import Clinical

/// Ids for rows that come without one: the format, whose row, when, and the how-manieth of these in this import, such
/// as `csv:P001:2024-03-05T10:40:1`.
///
/// It is a proposal: the number says nothing of which note it was in another file. Whoever keeps a note or an intake knows it
/// again by its text and gives a new one the next number that is free.
///
/// - Complexity: 12 bytes of memory a row without id.
final class DerivedIdentifiers {
  private var counts: [UInt64: UInt32] = [:]

  func next(_ format: ImportFormat, kind: ImportKind, patient: String?, at local: LocalDateTime?) -> String {
    let time = local.map { "\($0.date)T\(clock($0.minuteOfDay))\($0.second == 0 ? "" : ":\(twoDigits($0.second))")" }
    let key = "\(format.rawValue):\(patient ?? "-"):\(time ?? "-")"
    let hash = FNV1a.hash([UInt8(kind.rank)] + key.utf8)
    // Two keys with one hash would share their count: the ids still differ, by their keys.
    counts[hash, default: 0] += 1
    return "\(key):\(counts[hash, default: 1])"
  }
}

/// `09:05`, and `24:00` for the end of the day.
func clock(_ minuteOfDay: Int) -> String { "\(twoDigits(minuteOfDay / 60)):\(twoDigits(minuteOfDay % 60))" }

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
