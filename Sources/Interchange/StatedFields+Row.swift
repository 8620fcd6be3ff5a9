import Clinical

/// What a new record needs and a row does without: no fault in a row that changes a record which is on file.
final class RowLacks {
  private(set) var errors: [FieldError] = []

  func add(_ error: FieldError) { errors.append(error) }
}

extension Row {
  /// Stands in for a text that only a new record needs.
  func lacking(_ field: String, hint: String) -> String {
    lacks.add(.missing(path + field, hint: hint))
    return ""
  }

  /// The fields that the row speaks of, `columns` being those that the file has, or the row's own keys.
  func stated(_ columns: some Collection<String>, kind: ImportKind) -> StatedFields {
    var stated = StatedFields()
    for column in columns where column != "phone" {
      if isEmpty(column) { stated.empty.insert(column) } else { stated.given.insert(column) }
    }
    if columns.contains("phone") { statePhones(&stated) }
    // What stands under a heading of its own, and what it is part of.
    for (part, whole) in [("patient", "patient_id")] where columns.contains(part) {
      move(part, to: whole, in: &stated)
    }
    for part in kind.extraFields where part.hasSuffix("_time") || part == "location_id" {
      stated.given.remove(part)
      stated.empty.remove(part)
    }
    if kind == .clients {
      let isWhole = stated.given.isSuperset(of: ["given_name", "family_name"])
      stated.given.subtract(["given_name", "family_name"])
      stated.empty.subtract(["given_name", "family_name"])
      if isWhole { stated.given.insert("name") }
    }
    // A word that nobody understands says nothing of what is on file.
    if case .cell(let word)? = values["species"] { forgetUnknown(word, &stated) }
    if case .text(let word)? = values["species"] { forgetUnknown(word, &stated) }
    for loss in report.losses { forget(loss, &stated) }
    return stated
  }

  /// What could not be read says nothing: what the record holds in its place must not go over what is on file. Nor must the
  /// rest of a list that lost an entry, or a day that lost its time.
  private func forget(_ loss: FieldLoss, _ stated: inout StatedFields) {
    let field = loss.field.prefix { $0 != "[" && $0 != "." }
    for name in [String(field), "\(field.dropLast("_time".count))_at", "\(field.dropLast("_time".count))"]
    where name == field || field.hasSuffix("_time") {
      stated.given.remove(name)
    }
    if field == "phone" { stated.given = stated.given.filter { !$0.hasPrefix("phone:") } }
  }

  private func forgetUnknown(_ word: String, _ stated: inout StatedFields) {
    if Species(field: word.trimmingSpaces()) == nil { stated.given.remove("species") }
  }

  private func move(_ part: String, to whole: String, in stated: inout StatedFields) {
    if stated.given.remove(part) != nil {
      stated.given.insert(whole)
      stated.empty.remove(whole)
    } else if stated.empty.remove(part) != nil, !stated.given.contains(whole) {
      stated.empty.insert(whole)
    }
  }

  private func isEmpty(_ field: String) -> Bool {
    switch values[field] {
    case nil: true
    case .cell(let text), .text(let text): text.trimmingSpaces().isEmpty || isNothing(text, in: field)
    default: false
    }
  }

  // MARK: Telephone numbers

  /// One number is a field of its own, under its label; a list is all there are, and an empty one is an empty field.
  private func statePhones(_ stated: inout StatedFields) {
    switch values["phone"] {
    case .list, .object:
      guard format == .csv else {
        if (try? phones())?.isEmpty == true { stated.empty.insert("phone") } else { stated.given.insert("phone") }
        return
      }
      for phone in (try? phones()) ?? [] { stated.given.insert(StatedFields.phone(labelled: phone.label)) }
    default:
      let field = StatedFields.phone(labelled: nil)
      if isEmpty("phone") { stated.empty.insert(field) } else { stated.given.insert(field) }
    }
  }

  /// A number; a list of numbers or of objects with a label and a number; an object with numbers by label.
  func phones() throws(FieldError) -> [ClientPhone] {
    switch values["phone"] {
    case .list(let items):
      var phones: [ClientPhone] = []
      for (index, item) in items.enumerated() {
        guard case .object(let parts) = item else {
          let name = "phone[\(index)]"
          if let number = try alone(item, name).phrase(name) { phones.append(ClientPhone(number)) }
          continue
        }
        guard let value = parts["number"] ?? parts["value"] else {
          throw FieldError(path + "phone[\(index)].number", "missing", hint: "an object with a label and a number")
        }
        let label = try (parts["label"] ?? parts["type"]).flatMap { value throws(FieldError) in
          try alone(value, "label").phrase("label")
        }
        if let number = try alone(value, "number").phrase("number") { phones.append(ClientPhone(number, label: label)) }
      }
      return phones
    case .object(let entries):
      var phones: [ClientPhone] = []
      for (label, value) in entries.sorted(by: { $0.key < $1.key }) {
        if let number = try alone(value, "phone").phrase("phone") {
          phones.append(ClientPhone(number, label: label))
        }
      }
      return phones
    default:
      return try phrase("phone").map { [ClientPhone($0)] } ?? []
    }
  }

  private func alone(_ value: FieldValue, _ name: String) -> Row {
    Row(
      values: [name: value], format: format, dates: dates, vocabulary: vocabulary, tally: tally, report: report,
      path: path)
  }
}

extension RecordBuilder {
  /// The row as an event; a reject where it can't be a record.
  func event(
    from row: Row, columns: some Collection<String>, raw: [UInt8], origin: RowOrigin,
    at location: (FieldError?) -> SourceLocation
  ) -> ImportEvent {
    do throws(FieldError) {
      let record = try record(from: row)
      let stated = row.stated(columns, kind: kind)
      let additions = row.format == .jsonLines || kind == .appointments ? RowAdditions(row, kind: kind) : nil
      var kept = row.raw(raw, origin: origin, at: location(nil))
      kept.additions = additions
      guard let lack = row.lacks.errors.first else {
        return .record(record, at: location(nil), raw: kept, stated: stated)
      }
      let reject = ImportReject(lack, at: location(lack), raw: kept)
      // Nothing says which record it would change.
      guard stated.given.contains("id") else { return .reject(reject) }
      return .amendment(record, raw: kept, stated: stated, otherwise: reject)
    } catch {
      let kept = row.raw(raw, origin: origin, at: location(nil))
      return .reject(ImportReject(error, at: location(error), raw: kept))
    }
  }
}
