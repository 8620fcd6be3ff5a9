import Interchange

/// What an import did with rows without ids that a person should look at, told once with the first place of each kind.
struct ImportRemarks {
  enum Kind: CaseIterable {
    /// Another text than before in the same file.
    case corrected
    /// The text of a note that stands elsewhere in the record.
    case alike
  }

  private struct Remark {
    var count: Int
    let location: SourceLocation
    let note: String
    let patient: String
  }

  private var remarks: [Kind: Remark] = [:]

  mutating func add(_ kind: Kind, at location: SourceLocation, note: String, of patient: String) {
    remarks[kind, default: Remark(count: 0, location: location, note: note, patient: patient)].count += 1
  }

  /// For a person.
  func lines(isDryRun: Bool) -> [String] {
    Kind.allCases.compactMap { kind in
      guard let remark = remarks[kind] else { return nil }
      let rows = remark.count == 1 ? "a row" : "\(remark.count) rows"
      let place = remark.count == 1 ? "" : ", the first of them"
      let would = isDryRun ? "would be " : ""
      switch kind {
      case .corrected:
        return
          "\(remark.location)\(place): \(rows) without an id \(would)taken for a note of this file with another text than before "
          + "(note '\(remark.note)' of \(remark.patient)); the old text is kept as a version"
      case .alike:
        return
          "\(remark.location)\(place): \(rows) without an id \(would)kept as a note of its own, although one of the same moment "
          + "says the same (note '\(remark.note)' of \(remark.patient)); if that was misfiled: vetnet note retract or vetnet note move"
      }
    }
  }
}
