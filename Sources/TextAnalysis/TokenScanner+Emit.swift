extension TokenScanner {
  /// Units that stand in quotients. `mg/kg` is one word; `PU/PD` is two.
  private static let units: Set<String> = [
    "g", "mg", "kg", "mcg", "ug", "µg", "μg", "ng", "pg", "lb", "l", "dl", "ml", "ul", "µl", "μl", "fl", "mol", "mmol",
    "umol", "µmol", "μmol", "nmol", "pmol", "meq", "iu", "u", "mu", "miu", "min", "mins", "s", "sec", "h", "hr", "hrs",
    "hour", "d", "day", "wk", "m2", "cm", "mm", "hpf", "lpf", "tab", "cap",
  ]

  /// Parts longer than this are words in their own right, and their joint only a joint.
  private static let longestCompoundPart = 5

  mutating func emitCompound(_ range: Range<Int>, atoms: [Atom], connectors: ConnectorSet) {
    if atoms.count == 1, let atom = atoms.first {
      emitSingle(range, atom)
    } else if connectors == .point {
      emit(range.lowerBound, range.upperBound, at: position)
      position += 1
    } else if let first = atoms.first, first.beginsWithNumber, first.numberEnd < first.end,
      connectors == .slash
    {
      emitQuantity(range, numberEnd: first.numberEnd)
    } else {
      emitJoined(range, atoms, connectors)
    }
  }

  private mutating func emitSingle(_ range: Range<Int>, _ atom: Atom) {
    if atom.isLetters || atom.isCode || (atom.beginsWithNumber && atom.numberEnd == atom.end) {
      emit(range.lowerBound, range.upperBound, at: position)
      if atom.beginsWithNumber, emitMicrochip(atom) { return }
      position += 1
    } else if atom.beginsWithNumber {
      if isOrdinal(atom) {
        emit(range.lowerBound, range.upperBound, at: position)
        position += 1
      } else {
        emitQuantity(range, numberEnd: atom.numberEnd)
      }
    } else {
      emitLabelled(range, atom)
    }
  }

  /// `50mg`: the whole, the number, the unit.
  private mutating func emitQuantity(_ range: Range<Int>, numberEnd: Int) {
    emit(range.lowerBound, range.upperBound, at: position)
    emit(range.lowerBound, numberEnd, at: position)
    position += 1
    if bytes[numberEnd] != UInt8(ascii: "%") {
      emit(numberEnd, range.upperBound, at: position)
      position += 1
    }
  }

  /// `HR120`: the whole, the letters, the number; but `T4`, `q12h` and `x3` are names.
  private mutating func emitLabelled(_ range: Range<Int>, _ atom: Atom) {
    emit(range.lowerBound, range.upperBound, at: position)
    let letters = atom.prefixEnd - atom.start
    let number = bytes[atom.prefixEnd..<atom.numberEnd]
    let isMeasured = number.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    guard isMeasured || (letters >= 2 && number.count >= 2) else {
      position += 1
      return
    }
    emit(atom.start, atom.prefixEnd, at: position)
    emit(atom.prefixEnd, atom.numberEnd, at: position + 1)
    position += 2
    if atom.numberEnd < range.upperBound, bytes[atom.numberEnd] != UInt8(ascii: "%") {
      emit(atom.numberEnd, range.upperBound, at: position)
      position += 1
    }
  }

  private mutating func emitJoined(_ range: Range<Int>, _ atoms: [Atom], _ connectors: ConnectorSet) {
    // `heart-rate` written in one word is rare; as a third term beside its parts it would only count them twice.
    let isLoose =
      (!connectors.isDisjoint(with: [.slash, .ampersand]) || atoms.allSatisfy(isPlainWord))
      && atoms.contains { $0.end - $0.start > Self.longestCompoundPart }
    let isQuotient = connectors == .slash && atoms.allSatisfy { isUnit($0) }
    if !isLoose { emit(range.lowerBound, range.upperBound, at: position) }
    if isQuotient {
      position += 1
      return
    }
    var next = position
    for (number, atom) in atoms.enumerated() {
      let isShort = atom.isLetters && atom.end - atom.start < 2
      if isLoose || !isShort {
        // A sign after the last part belongs to the whole, and so to no part.
        let upper = isLoose && number == atoms.count - 1 ? range.upperBound : atom.end
        emit(atom.start, upper, at: next)
      }
      next += 1
    }
    position = max(next, position + 1)
  }

  /// Letters without capitals inside: `Blood`, but neither `FB` nor `proBNP`.
  private func isPlainWord(_ atom: Atom) -> Bool {
    atom.isLetters && !bytes[atom.start..<atom.end].dropFirst().contains { (0x41...0x5A).contains($0) }
  }

  private func isUnit(_ atom: Atom) -> Bool {
    guard atom.end - atom.start <= 5 else { return false }
    return Self.units.contains(String(decoding: bytes[atom.start..<atom.end], as: UTF8.self).lowercased())
  }

  /// `1st`, `22nd`, `3rd`, `4th`
  private func isOrdinal(_ atom: Atom) -> Bool {
    guard atom.end - atom.numberEnd == 2 else { return false }
    switch (bytes[atom.numberEnd] | 0x20, bytes[atom.numberEnd + 1] | 0x20) {
    case (UInt8(ascii: "s"), UInt8(ascii: "t")), (UInt8(ascii: "n"), UInt8(ascii: "d")),
      (UInt8(ascii: "r"), UInt8(ascii: "d")), (UInt8(ascii: "t"), UInt8(ascii: "h")):
      return true
    default: return false
    }
  }

  /// Groups of digits with one space between them that make the 15 digits of an ISO 11784 transponder: emits the whole
  /// range in front of the group just emitted, and the other groups after it.
  private mutating func emitMicrochip(_ atom: Atom) -> Bool {
    guard atom.end - atom.start <= 12, atom.end - atom.start >= 3, atom.end < end, bytes[atom.end] == 0x20,
      !(atom.start >= start + 2 && bytes[atom.start - 1] == 0x20 && isDigit(atom.start - 2))
    else { return false }
    var groups: [Range<Int>] = [atom.start..<atom.end]
    var digits = atom.end - atom.start
    var at = atom.end
    while digits < 15, groups.count < 5, at + 1 < end, bytes[at] == 0x20, isASCIIDigit(at + 1) {
      let from = at + 1
      at = from
      while at < end, isASCIIDigit(at) { at += 1 }
      groups.append(from..<at)
      digits += at - from
    }
    let pointFollows = at + 1 < end && bytes[at] == UInt8(ascii: ".") && isASCIIDigit(at + 1)
    guard digits == 15, !isWord(at), !pointFollows, (atom.start..<atom.end).allSatisfy({ isASCIIDigit($0) }) else {
      return false
    }
    tokens.removeLast()
    emit(atom.start, at, at: position)
    for group in groups {
      emit(group.lowerBound, group.upperBound, at: position)
      position += 1
    }
    index = at
    return true
  }

  private func isASCIIDigit(_ at: Int) -> Bool { (0x30...0x39).contains(bytes[at]) }

  /// Signs that stand alone and mean something: `++`, `+/-`, `±`, `+ve`, `-ve`, `#`.
  mutating func scanSymbol(_ kind: ByteClass, _ length: Int) {
    let from = index
    index += max(1, length)
    switch kind {
    case .plus:
      if matches("/-", at: index) {
        index += 2
      } else if isPolarity(from) {
        index += 2
      } else {
        while index < end, bytes[index] == UInt8(ascii: "+") { index += 1 }
        guard index - from >= 2 else { return }
      }
    case .hyphen:
      guard isPolarity(from), length == 1 else { return }
      index += 2
    default:
      let isPlusMinus = length == 2
      let isFracture =
        bytes[from] == UInt8(ascii: "#") && !isWord(before: from) && !isDigit(index)
        && !(index < end && bytes[index] == UInt8(ascii: "#"))
        && !(from > start && bytes[from - 1] == UInt8(ascii: "#"))
      guard isPlusMinus || isFracture else { return }
    }
    emit(from, index, at: position)
    position += 1
  }

  /// `+ve` or `-ve`, with the sign at `at` and nothing touching it.
  private func isPolarity(_ at: Int) -> Bool {
    matches("ve", at: at + 1) && !isWord(at + 3)
  }

  private func matches(_ word: StaticString, at: Int) -> Bool {
    guard at + word.utf8CodeUnitCount <= end else { return false }
    return word.withUTF8Buffer { letters in
      letters.indices.allSatisfy { bytes[at + $0] == letters[$0] }
    }
  }
}
