import Clinical

/// What the dates of one file say about the order of day and month.
///
/// A date is proof when one order makes a day of the calendar of it and the other doesn't: `28/04/2025` is day first for
/// sure, `03/04/2025` says nothing, and neither does `31/02/2025`, which is no day in any order.
struct DateEvidence {
  /// A date that only one order can read.
  struct Proof: Equatable {
    let line: Int
    /// As the file has it.
    let text: String
  }

  private(set) var dayFirst: Proof?
  private(set) var monthFirst: Proof?

  /// The first proof of an order.
  subscript(order: DateOrder) -> Proof? { order == .dayFirst ? dayFirst : monthFirst }

  mutating func add(_ text: String, line: Int) {
    switch DateReader.onlyOrder(of: text) {
    case .dayFirst where dayFirst == nil: dayFirst = Proof(line: line, text: text)
    case .monthFirst where monthFirst == nil: monthFirst = Proof(line: line, text: text)
    default: break
    }
  }

  /// Whether looking on can change nothing.
  var isComplete: Bool { dayFirst != nil && monthFirst != nil }

  /// The order in which to read the file when nobody declares one.
  var order: DateReader.Order {
    switch (dayFirst, monthFirst) {
    case (_?, nil): .known(.dayFirst)
    case (nil, _?): .known(.monthFirst)
    case (_?, _?): .conflicting
    case (nil, nil): .unknown
    }
  }

  /// The same; where the dates tell nothing, the order that the practice's files usually have.
  func order(usually usual: DateOrder?) -> DateReader.Order {
    order == .unknown ? usual.map(DateReader.Order.known) ?? .unknown : order
  }

  /// Why a file can't be read in the declared order, or in any; nil when it can.
  func refusal(file: String, declared: DateOrder?) -> ImportFileProblem? {
    func described(_ proof: Proof) -> String { Harmless.date(proof.text).map { "'\($0)'" } ?? "the date" }
    if let declared {
      let other: DateOrder = declared == .dayFirst ? .monthFirst : .dayFirst
      guard let proof = self[other] else { return nil }
      return ImportFileProblem(
        .disprovedOrder, file: file, line: proof.line,
        message:
          "\(described(proof)) can't be read in the order \(declared.rawValue); nothing of the file was imported",
        hint: self[declared] == nil
          ? "the dates of this file are \(other.rawValue): say so, or leave the order to the file"
          : "the file has dates of both orders (line \(self[declared]?.line ?? 0) is \(declared.rawValue)): write them "
            + "like 2024-03-05")
    }
    guard let dayFirst, let monthFirst else { return nil }
    let (first, second) = dayFirst.line <= monthFirst.line ? (dayFirst, monthFirst) : (monthFirst, dayFirst)
    return ImportFileProblem(
      .disprovedOrder, file: file, line: first.line,
      message: "the file has dates of both orders: \(described(first)) here and \(described(second)) in line "
        + "\(second.line); nothing of it was imported",
      hint: "write the dates like 2024-03-05, or split the file")
  }
}
