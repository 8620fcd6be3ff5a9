/// A row of `triage/concepts.tsv`.
struct ConceptRow: Sendable {
  let id: String
  let kind: String
  var forms: [String]

  /// Its words stand between the words of forms and are no concept.
  var isFiller: Bool { id == "filler" }
  /// Its phrases hide what stands in them, and bear no fillers.
  var isMask: Bool { kind == "mask" }
  /// It is there for other forms to name.
  var isClass: Bool { kind == "class" }

  /// The rows of the table.
  static func all(in sheet: CueSheet) -> [ConceptRow] {
    (0..<sheet.rowCount).map {
      ConceptRow(id: sheet.cell("id", ofRow: $0), kind: sheet.cell("kind", ofRow: $0), forms: sheet.cues(ofRow: $0))
    }
  }
}

/// One change of a row: forms that go, and one that comes in their place or none.
struct ConceptEdit: Sendable {
  let row: Int
  let removes: [String]
  let add: String?
  let reason: CueReduction.Step.Reason

  /// The forms of its row once it is made; the new one stands where the first that went stood.
  func applied(to forms: [String]) -> [String] {
    let gone = Set(removes)
    guard let place = forms.firstIndex(where: gone.contains) else { return forms }
    var result = forms.filter { !gone.contains($0) }
    if let add, !result.contains(add) {
      result.insert(add, at: forms[..<place].count { !gone.contains($0) })
    }
    return result
  }
}
