extension Character {
  /// Columns that it takes in a terminal: 2 for East Asian wide characters and emoji, 0 for what only changes its neighbour.
  ///
  /// - Source: Unicode Standard Annex #11, East Asian Width: the blocks that are wide or full-width throughout.
  public var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    if scalar.isASCII { return 1 }
    if unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

extension String {
  /// Columns that it takes in a terminal.
  public var columns: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
  }

  /// Its beginning that fits into so many columns.
  public func prefix(columns limit: Int) -> String {
    var used = 0
    var result = ""
    for character in self {
      used += character.columns
      if used > limit { break }
      result.append(character)
    }
    return result
  }
}

extension String {
  /// As it stands in a line of other text: writing from right to left is closed off, so that what is around it keeps its order.
  ///
  /// - Source: Unicode Standard Annex #9: first strong isolate and pop directional isolate.
  public var isolated: String {
    let runsBack = unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
    return runsBack ? "\u{2068}\(self)\u{2069}" : self
  }
}
