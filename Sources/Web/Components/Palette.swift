import VetNet

/// What can be done and where, for whoever may: the commands of the field that finds everything.
enum Palette {
  struct Entry: Sendable {
    let label: String
    let href: String
    let permission: Permission
    /// Further words that people call it by.
    var words = ""
  }

  private static let all: [Entry] = [
    Entry(label: "Schedule, today", href: "/day/today", permission: .readBook, words: "day book calendar"),
    Entry(label: "Schedule, tomorrow", href: "/day/tomorrow", permission: .readBook, words: "day book calendar"),
    Entry(label: "This week", href: "/week/today", permission: .readBook, words: "schedule load leave"),
    Entry(label: "This month", href: "/month/today", permission: .readBook, words: "schedule load leave calendar"),
    Entry(label: "Flow: who waits", href: "/flow/today", permission: .readBook, words: "waiting room arrived pay"),
    Entry(
      label: "Add an appointment", href: "/day/today?open=booking", permission: .writeBook, words: "book new visit"),
    Entry(label: "Emergency", href: "/day/today?open=emergency", permission: .writeBook, words: "urgent red orange"),
    Entry(label: "Triage", href: "/triage", permission: .assess, words: "phone call urgent symptoms"),
    Entry(label: "Patients", href: "/patients", permission: .readRegister, words: "animals owners clients register"),
    Entry(label: "Ask the record", href: "/ask", permission: .readRecord, words: "question history"),
    Entry(label: "Briefs, today", href: "/brief/today", permission: .readRecord, words: "appointments prepare"),
    Entry(label: "Briefs, tomorrow", href: "/brief/tomorrow", permission: .readRecord, words: "appointments prepare"),
    Entry(label: "Inbox", href: "/inbox", permission: .fileInbox, words: "letters post unfiled queue review"),
    Entry(label: "Inbox, one by one", href: "/inbox/next", permission: .fileInbox, words: "queue review go on next"),
    Entry(
      label: "A message for the inbox", href: "/inbox?open=message", permission: .fileInbox,
      words: "phone call intake take web form"),
    Entry(label: "Specialists", href: "/specialists", permission: .readBook, words: "vets skills referral who"),
    Entry(
      label: "Account", href: "/account", permission: .ownAccount, words: "passphrase passkey calendar feed sign out"),
    Entry(
      label: "Practice settings", href: "/manage/practice", permission: .keep, words: "manage hours closures backup"),
    Entry(
      label: "People and rooms", href: "/manage/people-and-rooms", permission: .keep, words: "manage staff leave breaks"
    ),
    Entry(label: "Users and roles", href: "/manage/users", permission: .readUsers, words: "manage passphrase disable"),
    Entry(label: "Imports", href: "/manage/imports", permission: .keep, words: "manage undo"),
    Entry(label: "Audit log", href: "/manage/audit", permission: .readAudit, words: "manage who saw"),
    Entry(
      label: "Weeks in pictures", href: "/manage/weeks", permission: .readRecord,
      words: "manage workload no-shows overruns"),
    Entry(label: "Jobs: import, re-index", href: "/jobs", permission: .keep, words: "files upload progress"),
  ]

  /// Entries of which each word that was typed begins a word, in their order; without words all.
  /// With them the places that the practice gave names; a page refuses by itself whom it isn't for.
  static func entries(for typed: String, role: Role, links: NamedLinks?) -> [Entry] {
    let typed = Self.words(typed)
    let named = (links?.links ?? []).map { Entry(label: $0.name, href: $0.path, permission: .inspect) }
    return (all + named).filter { entry in
      guard role.may(entry.permission) else { return false }
      let own = Self.words("\(entry.label) \(entry.words)")
      return typed.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
