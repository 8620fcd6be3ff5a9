/// Why a row that reads well can't be kept.
struct RecordProblem: Error {
  let field: String
  let value: String?
  let reason: String
  let hint: String
  /// Whether the row's id is another record's.
  var isTakenID = false
  /// Whether the row is about somebody who was erased: it is kept nowhere, not even to be mended.
  var isOfErased = false

  static func cutOff(_ field: String) -> Self {
    Self(
      field: field, value: nil, reason: "breaks off with the file, and is longer on file",
      hint: "the file was not copied or written to its end: export it again")
  }

  static func unknown(_ field: String, _ value: String) -> Self {
    // The value may be a name, which messages must not hold.
    Self(
      field: field, value: nil, reason: "names no patient on file", hint: "import the patient first, or give patient_id"
    )
  }

  static func ambiguous(_ field: String, _ ids: [String]) -> Self {
    Self(
      field: field, value: nil, reason: "fits \(ids.count) patients: \(ids.prefix(5).joined(separator: ", "))",
      hint: "give patient_id")
  }
}
