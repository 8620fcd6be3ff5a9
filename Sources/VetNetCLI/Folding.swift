import Presentation

/// Lines that are too wide for a terminal, broken between words.
enum Folding {
  /// A run of spaces or of anything else, with the columns that it takes; sequences that colour take none.
  private struct Run {
    var text: String
    var columns: Int
    let isSpace: Bool
  }

  /// The line in parts that fit. What goes on stands below the last column of a table that begins in the left half, else two columns
  /// further in than the line. A word that is wider than the terminal, such as a path, stays whole.
  static func lines(_ line: String, width: Int) -> [String] {
    // Bytes are never fewer than columns.
    guard line.utf8.count > width else { return [line] }
    let runs = runs(of: line)
    guard runs.reduce(0, { $0 + $1.columns }) > width else { return [line] }
    let margin = String(repeating: " ", count: indent(runs, width: width))
    var lines: [String] = []
    var (current, used, spaces) = ("", 0, "")
    for run in runs.flatMap({ parts(of: $0, room: width - margin.count) }) {
      if run.isSpace {
        spaces += run.text
        continue
      }
      let isFirst = used == 0 || (current.allSatisfy { $0 == " " } && spaces.isEmpty)
      if !isFirst, used + spaces.count + run.columns > width {
        lines.append(current)
        (current, used) = (margin, margin.count)
        spaces = ""
      }
      current += spaces + run.text
      used += spaces.count + run.columns
      spaces = ""
    }
    return lines + [current]
  }

  private static func runs(of line: String) -> [Run] {
    var runs: [Run] = []
    var isEscaped = false
    for character in line {
      if character == "\u{1B}" { isEscaped = true }
      let isSpace = character == " " && !isEscaped
      if runs.last?.isSpace != isSpace { runs.append(Run(text: "", columns: 0, isSpace: isSpace)) }
      runs[runs.count - 1].text.append(character)
      if isEscaped {
        if character.isLetter { isEscaped = false }
      } else {
        runs[runs.count - 1].columns += character.columns
      }
    }
    return runs
  }

  private static func indent(_ runs: [Run], width: Int) -> Int {
    let leading = runs.first.map { $0.isSpace ? $0.columns : 0 } ?? 0
    var indent = min(leading + 2, width / 2)
    var column = 0
    for (index, run) in runs.enumerated() {
      column += run.columns
      if column > width / 2 { break }
      if index > 0, run.isSpace, run.columns >= 2 { indent = column }
    }
    return indent
  }

  /// Writing without spaces between words may be broken anywhere.
  private static func parts(of run: Run, room: Int) -> [Run] {
    guard run.columns > room, !run.text.contains("\u{1B}"), run.text.contains(where: { $0.columns == 2 }) else {
      return [run]
    }
    var parts: [Run] = []
    var rest = Substring(run.text)
    while !rest.isEmpty {
      let part = String(rest).prefix(columns: max(2, room))
      parts.append(Run(text: part, columns: part.columns, isSpace: false))
      rest = rest.dropFirst(part.count)
    }
    return parts
  }
}
