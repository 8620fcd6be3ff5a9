import Clinical
import Formulary
import Presentation

/// A drug's sheet for a terminal: titles in a column of their own, the row's id behind each line.
struct DrugText {
  static let legend = "* unverified: from general knowledge where no source is named. No row is no clearance."

  private static let titleWidth = 12

  let width: Int

  /// The whole sheet, or the interactions alone where only those with one other drug were asked for.
  func lines(_ sheet: DrugSheet, isPair: Bool) -> [String] {
    var lines = [sheet.generic]
    if !isPair {
      lines += part("class", [sheet.classes.joined(separator: ", ")])
      lines += part("names", names(sheet))
      let star = sheet.isVerified ? "" : "*"
      lines += part("species", sheet.speciesNotes.isEmpty ? [] : [sheet.speciesNotes + star])
      let none = "no row for \(sheet.species.map(\.rawValue).joined(separator: ", ")): unknown, not safe"
      let isSilent = sheet.speciesCautions.isEmpty && !sheet.species.isEmpty
      lines += part("cautions", isSilent ? [none] : sheet.speciesCautions.map(row))
    }
    let isSilent = isPair && sheet.interactions.isEmpty
    lines += part("interacts", isSilent ? ["no row for these two: unknown, not safe"] : sheet.interactions.map(row))
    if !isPair {
      lines += part("diseases", sheet.diseaseCautions.map(row))
      lines += part("monitor", sheet.monitoring.map(row))
      lines += part("source", ["names and classes: \(sheet.source)\(sheet.isVerified ? "" : "; unverified")"])
    }
    return lines
  }

  private func names(_ sheet: DrugSheet) -> [String] {
    [
      ("also", sheet.spellings + sheet.alsoCalled), ("UK", sheet.brandsUK), ("US", sheet.brandsUS),
    ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
  }

  private func row(_ row: DrugSheet.Row) -> String {
    // A source of its own is worth a word; the star says the rest.
    let source = row.reference.source.flatMap { $0.hasPrefix("general") ? nil : ", \($0)" } ?? ""
    let mark = " [\(row.reference.rowID)\(row.reference.isVerified == true ? "" : "*")\(source)]"
    guard let level = row.level else { return row.text + mark }
    return "\(level.rawValue.uppercased()) \(row.about): \(row.text)\(mark)"
  }

  private func part(_ title: String, _ texts: [String]) -> [String] {
    let indent = String(repeating: " ", count: Self.titleWidth)
    var lines: [String] = []
    for (index, text) in texts.enumerated() {
      for (place, line) in text.wrapped(to: width - Self.titleWidth).enumerated() {
        let isTitled = index == 0 && place == 0
        let head = isTitled ? title.padding(to: Self.titleWidth) : indent + (place == 0 ? "" : "  ")
        lines.append(head + line)
      }
    }
    return lines
  }
}

extension String {
  /// With spaces behind it up to a width.
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
