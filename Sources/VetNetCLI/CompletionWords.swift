import Clinical
import VetNet

/// What may stand where somebody is typing, by the command table.
struct CompletionWords {
  let commands: [Command]

  /// What the shell is to offer.
  enum Offer: Equatable {
    case words([Completion])
    /// Words, and names of files.
    case files([Completion])
    case patients
    case book(BookCompletion)
  }

  /// What may end the last of the words behind `vetnet`, which may be empty.
  func offer(_ words: [String]) -> Offer {
    guard let last = words.last else { return .words([]) }
    let before = Array(words.dropLast())
    let command = commands.filter { before.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    let verbs = self.verbs(behind: before)
    guard let command else { return .words(verbs) }
    let rest = Array(before.dropFirst(command.path.count))
    let options = command.options + Option.global
    if let name = rest.last, let option = options.first(where: { $0.name == name }), let wanted = option.placeholder {
      return value(of: option.name, wanted, command)
    }
    if last.hasPrefix("-") {
      if let equals = last.firstIndex(of: "="), let option = options.first(where: { $0.name == last[..<equals] }),
        let choices = choices(option.placeholder ?? "")
      {
        return .words(choices.map { Completion("\(option.name)=\($0.word)", $0.description) })
      }
      let given = Set(rest)
      return .words(
        options.filter { !given.contains($0.name) || $0.placeholder != nil }.map { Completion($0.name, $0.help) })
    }
    var positionals = 0
    var isValue = false
    for word in rest {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-"), word != "-" {
        isValue = options.first { $0.name == word }?.placeholder != nil
      } else {
        positionals += 1
      }
    }
    let isFirst = positionals == 0 && rest.isEmpty
    let place = min(positionals, command.positionals.count - 1)
    guard place >= 0, positionals <= place || command.positionals[place].isRepeating else {
      return .words(isFirst ? verbs : [])
    }
    let offer = value(of: "", command.positionals[place].name, command)
    guard isFirst, !verbs.isEmpty else { return offer }
    if case .files = offer { return .files(verbs) }
    return .words(verbs)
  }

  /// The words that go on a path of commands, each once.
  private func verbs(behind path: [String]) -> [Completion] {
    var found: [Completion] = []
    for command in commands where command.path.count > path.count && command.path.starts(with: path) {
      let word = command.path[path.count]
      guard !found.contains(where: { $0.word == word }) else { continue }
      let isWhole = command.path.count == path.count + 1
      found.append(Completion(word, isWhole ? command.summary : ""))
    }
    return found
  }

  private func value(of option: String, _ placeholder: String, _ command: Command) -> Offer {
    if let choices = choices(placeholder) { return .words(choices) }
    switch (placeholder, option) {
    case ("PATIENT", _): return .patients
    case ("CLINICIAN", _), ("NAME", "--clinician"): return .book(.staff)
    case ("NAME", "--with") where command.path[0] == "schedule": return .book(.staff)
    case ("ROOM", _), ("NAME", "--room"): return .book(.room)
    case ("FILE", _), ("DIR", _), ("PATH", _): return .files([])
    case ("DATE", _), ("TIME", _): return .words(["today", "tomorrow"].map { Completion($0) })
    case ("KEY", _): return .words(PracticeSetting.allCases.map { Completion($0.rawValue, $0.summary) })
    case ("KEY=VALUE", _):
      return .words(PracticeSetting.allCases.map { Completion("\($0.rawValue)=", $0.allowed) })
    case ("SPECIES", _): return .words(Species.allCases.map { Completion($0.rawValue) })
    case ("ID", _) where command.path[0] == "schedule" || option == "--appointment" || option == "--after":
      return .book(.appointment)
    default: return .words([])
    }
  }

  /// `dmy|mdy`
  private func choices(_ placeholder: String) -> [Completion]? {
    guard placeholder.contains("|") else { return nil }
    return placeholder.split(separator: "|").map { Completion(String($0)) }
  }
}
