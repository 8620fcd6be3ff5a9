/// What is wrong with one field of a row; with the row's place it becomes an ``ImportReject``.
struct FieldError: Error, Equatable {
  let field: String
  let value: String?
  let reason: String
  let hint: String

  init(_ field: String, value: String? = nil, _ reason: String, hint: String) {
    self.field = field
    self.value = value
    self.reason = reason
    self.hint = hint
  }

  static func missing(_ field: String, hint: String) -> FieldError { FieldError(field, "missing", hint: hint) }
}
