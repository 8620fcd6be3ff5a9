import VetNet

/// What can be done and where, for whoever may: the commands of the field that finds everything.
enum Palette {
  struct Entry: Sendable {
    let label: String
    let href: String
    let isOfUse: @Sendable (Role) -> Bool
    /// Further words that people call it by.
    let words: String

    init(label: String, href: String, permission: Permission, words: String) {
      self.label = label
      self.href = href
      self.words = words
      isOfUse = { $0.may(permission) }
    }

    /// For those to whom the hub offers it.
    init(label: String, _ page: ManagePages.Page, words: String) {
      self.label = label
      href = page.path
      self.words = "manage " + words
      isOfUse = { page.isOfUse(to: $0) }
    }
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
    Entry(
      label: "Conflicts between devices", href: ConflictsPage.path, permission: .readRecord,
      words: "sync disagree settle versions"),
    Entry(label: "Specialists", href: "/specialists", permission: .readBook, words: "vets skills referral who"),
    Entry(
      label: "Account", href: "/account", permission: .ownAccount, words: "passphrase passkey calendar feed sign out"),
    Entry(label: "Practice settings", .practice, words: "hours closures backup"),
    Entry(label: "People and rooms", .people, words: "staff leave breaks"),
    Entry(label: "Users and roles", .users, words: "passphrase disable"),
    Entry(label: "Devices", .devices, words: "laptop browser invite enroll revoke lost sync"),
    Entry(label: "Imports", .imports, words: "undo"),
    Entry(label: "Audit log", .audit, words: "who saw"),
    Entry(label: "Weeks in pictures", .weeks, words: "workload no-shows overruns insights"),
    Entry(label: "Evaluations", .evaluations, words: "triage levels agreement comparison"),
    Entry(label: "Jobs: import, re-index", href: "/jobs", permission: .keep, words: "files upload progress"),
  ]

  /// Entries of which each word that was typed begins a word, in their order; without words all.
  /// With them the places that the practice gave names; a page refuses by itself whom it isn't for.
  static func entries(for typed: String, role: Role, links: NamedLinks?) -> [Entry] {
    let typed = Self.words(typed)
    let named = (links?.links ?? []).map { Entry(label: $0.name, href: $0.path, permission: .inspect, words: "") }
    return (all + named).filter { entry in
      guard entry.isOfUse(role) else { return false }
      let own = Self.words("\(entry.label) \(entry.words)")
      return typed.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
