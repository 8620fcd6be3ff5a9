import Clinical

extension Row {
  /// A moment and the wall-clock reading it was written as.
  struct Moment {
    let timestamp: Timestamp
    let written: LocalDateTime
  }

  /// A day, or a day and a time, of something that has happened; see ``moment(_:timeField:)``.
  func pastMoment(_ field: String, timeField: String? = nil) throws(FieldError) -> Moment? {
    guard let moment = try moment(field, timeField: timeField, dropsBadTime: true) else { return nil }
    try refuseFuture(dates.timeZone.date(of: moment.timestamp), field)
    return moment
  }

  /// A day that has come; see ``day(_:)``.
  func pastDay(_ field: String) throws(FieldError) -> CalendarDate? {
    guard let day = try day(field) else { return nil }
    try refuseFuture(day, field)
    return day
  }

  /// A later hour of today is let through: clocks differ, and so do a day's date and its moment.
  private func refuseFuture(_ day: CalendarDate, _ field: String) throws(FieldError) {
    guard let today = dates.today, day > today else { return }
    throw FieldError(
      path + field, value: "\(day)", "lies in the future", hint: "correct the date; today is \(today)")
  }

  /// A day, or a day and a time; `timeField` is where a table may keep the time apart, and `dropsBadTime` says that the day
  /// will do where that is no time.
  func moment(
    _ field: String, timeField: String? = nil, dropsBadTime: Bool = false
  ) throws(FieldError) -> Moment? {
    guard var text = try dateText(field) else { return nil }
    if let timeField, let time = dropsBadTime ? optional(try phrase(timeField)) : try phrase(timeField) {
      // A spreadsheet's date column often carries an empty time of its own.
      if case .success(let day) = dates.read(text), day.hasTime, day.local.minuteOfDay == 0 {
        text = "\(day.local.date)"
      }
      if case .success(let day) = dates.read(text), !day.hasTime {
        let timed = "\(day.local.date) \(time)"
        guard case .success(let reading) = dates.read(timed), reading.hasTime else {
          let error = FieldError(
            path + timeField, value: Harmless.described(time, as: Harmless.time), "unreadable time",
            hint: "write times like 09:05")
          guard dropsBadTime else { throw error }
          report.lose(error)
          return Moment(timestamp: dates.timestamp(of: day), written: day.local)
        }
        return Moment(timestamp: dates.timestamp(of: reading), written: reading.local)
      }
    }
    let reading = try reading(of: text, field: field)
    return Moment(timestamp: dates.timestamp(of: reading), written: reading.local)
  }

  /// A day; a time beside it is dropped.
  func day(_ field: String) throws(FieldError) -> CalendarDate? {
    guard let text = try dateText(field) else { return nil }
    return try reading(of: text, field: field).local.date
  }

  /// A day, or where only a year is known ("2012", as many exports have births) its first day, which is counted.
  func pastDayOrYear(_ field: String) throws(FieldError) -> CalendarDate? {
    if let text = try phrase(field), text.utf8.count == 4, let year = Int(text), (1900...2100).contains(year),
      let day = CalendarDate(year: year, month: 1, day: 1)
    {
      try refuseFuture(day, field)
      tally.addYearAlone(field)
      return day
    }
    return try pastDay(field)
  }

  /// Minutes past midnight from `09:05`; `24:00` is the end of the day.
  func minuteOfDay(_ field: String) throws(FieldError) -> Int? {
    guard let text = try dateText(field) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, (1...2).contains(parts[0].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1440
    else {
      throw FieldError(
        path + field, value: Harmless.described(text, as: Harmless.time), "unreadable time",
        hint: "write times like 09:05")
    }
    return hour * 60 + minute
  }

  private func dateText(_ field: String) throws(FieldError) -> String? {
    if case .number(_, let text) = values[field] {
      throw FieldError(
        path + field, value: Harmless.number(text), "expected a date, found a number",
        hint: "write dates like 2024-03-05T10:40")
    }
    return try phrase(field)
  }

  private func reading(of text: String, field: String) throws(FieldError) -> DateReader.Reading {
    switch dates.read(text) {
    case .success(let reading): return reading
    case .failure(let failure):
      let (reason, hint) = Self.explain(failure, order: dates.order)
      throw FieldError(path + field, value: Harmless.described(text, as: Harmless.date), reason, hint: hint)
    }
  }

  private static func explain(_ failure: DateReader.Failure, order: DateReader.Order) -> (reason: String, hint: String)
  {
    switch failure {
    case .unreadable:
      ("unreadable date", "write dates like 2024-03-05 or 2024-03-05T10:40")
    case .noSuchDay:
      ("no such day in the calendar", "correct the date, and write it like 2024-03-05")
    case .ambiguous where order == .conflicting:
      (
        "day and month can't be told apart: the file has dates of both orders",
        "write dates like 2024-03-05, or say which order is meant (--date-order dmy or mdy)"
      )
    case .ambiguous:
      (
        "day and month can't be told apart: no date in the file has a day past 12",
        "say which order is meant (--date-order dmy or mdy), or write dates like 2024-03-05"
      )
    case .wrongOrder(let order):
      ("not a date in the order \(order.rawValue)", "write dates like 2024-03-05, or name the other order")
    case .twoDigitYear:
      ("the year has two digits", "write the year with four")
    }
  }
}
