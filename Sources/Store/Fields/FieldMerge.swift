import Clinical

/// What a row of a file changes of a record: only the fields that it states, and of those only what its source has not
/// said before.
struct FieldMerge<Record: StoredFields> {
  private(set) var merged: Record
  private(set) var said: SaidFields
  /// Whether the source says anything it has not said before.
  private(set) var hasNews = false

  /// - Parameters:
  ///   - incoming: the row.
  ///   - current: the record.
  ///   - stated: the fields that the row speaks of.
  ///   - said: what the source said before.
  ///   - clearsEmpty: whether an empty field clears.
  ///   - isDecidedHere: fields of which the first word of a source does not count, because somebody here decided since.
  init(
    _ incoming: Record, onto current: Record, stated: StatedFields, said: SaidFields, clearsEmpty: Bool,
    isDecidedHere: Set<String> = []
  ) {
    merged = current
    self.said = said
    for field in Record.fields {
      if stated.given.contains(field.name) {
        hear(field.read(incoming), of: field, isDecidedHere)
      } else if stated.withdrawn.contains(field.name) || clearsEmpty && stated.empty.contains(field.name),
        !field.isRequired
      {
        if self.said.hear(.none, of: field.name) {
          hasNews = true
          _ = field.write(&merged, .none)
        }
      }
    }
    if let incoming = incoming as? Client { hearPhones(of: incoming, stated, clearsEmpty) }
  }

  private mutating func hear(_ content: FieldContent, of field: RecordField<Record>, _ isDecidedHere: Set<String>) {
    // Given, and yet nothing that was understood: that says nothing.
    guard content != .none else { return }
    let isFirst = !said.contains(field.name)
    guard said.hear(content, of: field.name) else { return }
    hasNews = true
    if !(isFirst && isDecidedHere.contains(field.name)) { _ = field.write(&merged, content) }
  }

  /// Numbers in columns of their own: each column is a field of its own.
  private mutating func hearPhones(of incoming: Client, _ stated: StatedFields, _ clearsEmpty: Bool) {
    guard var client = merged as? Client else { return }
    for phone in incoming.phones {
      let field = StatedFields.phone(labelled: phone.label)
      guard stated.given.contains(field), said.hear(.text(phone.number), of: field) else { continue }
      hasNews = true
      client.setPhone(phone)
    }
    if clearsEmpty {
      for label in StatedFields.phoneLabels(in: stated.empty) {
        guard said.hear(.none, of: StatedFields.phone(labelled: label)) else { continue }
        hasNews = true
        client.phones.removeAll { ($0.label ?? "") == label }
      }
    }
    if let client = client as? Record { merged = client }
  }
}

extension Client {
  /// Puts a number under its label, beside those with other labels.
  ///
  /// A number that is there without a label gets the label; one without a label takes the place of the one without, and
  /// else stands first.
  mutating func setPhone(_ phone: ClientPhone) {
    if let index = phones.firstIndex(where: { $0.label == phone.label }) {
      phones[index].number = phone.number
    } else if let index = phones.firstIndex(where: {
      $0.digits == phone.digits && ($0.label == nil || phone.label == nil)
    }) {
      if phone.label != nil { phones[index] = phone }
    } else if phone.label == nil {
      phones.insert(phone, at: 0)
    } else {
      phones.append(phone)
    }
  }
}

extension ClientPhone {
  /// What is dialled.
  fileprivate var digits: String { number.filter { $0.isNumber || $0 == "+" } }
}
