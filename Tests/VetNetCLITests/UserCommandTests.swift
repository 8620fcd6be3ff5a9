import Foundation
import Testing
import VetNetTestSupport

/// Who may use a practice, in processes of their own.
struct UserCommandTests {
  /// A practice with an administrator, a vet, a nurse and a receptionist, and files with their passphrases.
  private final class Site {
    let folder: TemporaryFolder
    var vetnet: VetNetProcess

    /// Made once: each passphrase takes its time.
    private static let made = Result {
      let site = try Site(in: TemporaryFolder())
      try site.settle()
      return site.folder
    }

    convenience init() throws {
      let made = try Self.made.get()
      try self.init(in: TemporaryFolder())
      for name in ["p.vetnet", "p.vetnet.audit-key", "keys"] {
        try FileManager.default.copyItem(atPath: made.file(name), toPath: folder.file(name))
      }
    }

    private init(in folder: TemporaryFolder) throws {
      self.folder = folder
      vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
      vetnet.environment["XDG_RUNTIME_DIR"] = folder.file("run")
    }

    private func settle() throws {
      try vetnet.run("init", "--time-zone", "Europe/London")
      try vetnet.run("patient", "add", "Rex", "--species", "dog")
      for (name, role) in [
        ("ann", "administrator"), ("vera", "veterinarian"), ("ned", "nurse"), ("rose", "reception"),
      ] {
        let added = try add(name, role, by: name == "ann" ? nil : "ann")
        #expect(added.status == 0, "\(added.errors)")
      }
    }

    func passphrase(_ name: String, _ text: String? = nil) throws -> String {
      let path = try folder.write((text ?? "the four words of \(name)") + "\n", to: "keys/\(name)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return path
    }

    func add(_ name: String, _ role: String, by actor: String?) throws -> VetNetProcess.Outcome {
      var words = ["user", "add", name, "--role", role, "--new-passphrase-file", try passphrase(name)]
      if let actor { words += ["--as", actor, "--passphrase-file", try passphrase(actor)] }
      return try vetnet.start(words).wait()
    }

    @discardableResult
    func run(as name: String, _ words: String...) throws -> VetNetProcess.Outcome {
      try vetnet.start(words + ["--as", name, "--passphrase-file", try passphrase(name)]).wait()
    }
  }

  @Test func `a practice without users is open, which doctor says, and the first user closes it`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    let open = try vetnet.run("doctor")
    #expect(open.status == 0 && open.output.contains("there are none") && open.output.contains("Nothing is wrong."))
    #expect(try vetnet.run("patient", "find", "--as", "ann", "--passphrase-file", "/dev/null", "x").status == 15)
    let words = try folder.write("four words, or five", to: "words")
    let nurse = try vetnet.run("user", "add", "ned", "--role", "nurse", "--new-passphrase-file", words)
    #expect(nurse.status == 64 && nurse.errors.contains("administrator"))
    let short = try folder.write("short", to: "short")
    #expect(
      try vetnet.run("user", "add", "ann", "--role", "administrator", "--new-passphrase-file", short).status == 64)
    #expect(
      try vetnet.run("user", "add", "ann", "--role", "administrator", "--new-passphrase-file", words, "--dry-run")
        .status == 0)
    #expect(try vetnet.run("user", "list").errors.contains("None"))
    let added = try vetnet.run("user", "add", "ann", "--role", "administrator", "--new-passphrase-file", words)
    #expect(added.status == 0 && added.errors.contains("for its users only"))
    let refused = try vetnet.run("status")
    #expect(refused.status == 15 && refused.errors.contains("practice.status") && refused.errors.contains("nurse"))
    let doctor = try vetnet.run("doctor", "--json", "--as", "ann", "--passphrase-file", words)
    #expect(doctor.status == 0 && !doctor.output.contains("\"users\""))
    // The database and what stands beside it hold no passphrase.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("p.vetnet") {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(bytes.range(of: Data("four words".utf8)) == nil, "\(name)")
    }
  }

  @Test func `a role does what it may, and a refusal names the operation and the role that is needed`() throws {
    let site = try Site()
    #expect(try site.run(as: "rose", "patient", "find", "Rex").output.contains("Rex"))
    let timeline = try site.run(as: "rose", "patient", "timeline", "Rex")
    #expect(timeline.status == 15 && timeline.errors.contains("'patient.timeline'"))
    #expect(timeline.errors.contains("role reception") && timeline.errors.contains("veterinarian or nurse"))
    #expect(try site.run(as: "vera", "patient", "timeline", "Rex").status == 0)
    #expect(try site.run(as: "ann", "patient", "timeline", "Rex").status == 15)
    #expect(try site.run(as: "ned", "user", "list").status == 15)
    #expect(try site.run(as: "ned", "reindex").status == 15)
    #expect(try site.add("eve", "administrator", by: "vera").status == 15)
    let log = try site.run(as: "ann", "audit", "log", "--json").jsonLines()
    #expect(log.contains { $0["actor"] as? String == "vera" && $0["operation"] as? String == "patient.timeline" })
    #expect(!log.contains { "\($0)".contains("four words") || "\($0)".contains("argon2") })
    let backup = site.folder.file("b.vetnet")
    #expect(try site.run(as: "ann", "backup", backup).status == 0)
    #expect(try site.vetnet.run("restore", backup, "--replace-newer").status == 15)
    #expect(try site.run(as: "vera", "restore", backup, "--replace-newer").status == 15)
    #expect(try site.run(as: "ann", "restore", backup, "--replace-newer").status == 0)
    #expect(try site.vetnet.run("status").status == 15)
  }

  @Test func `a wrong passphrase and a wrong name read alike, and five wrong tries slow the next one down`() throws {
    let site = try Site()
    let wrong = try site.passphrase("wrong")
    func attempt(_ name: String, at time: String, right: Bool = false) throws -> VetNetProcess.Outcome {
      try site.vetnet.run(
        "status", "--as", name, "--passphrase-file", right ? try site.passphrase(name) : wrong, "--now",
        "2027-01-04T09:\(time)")
    }
    let known = try attempt("vera", at: "00:00"), unknown = try attempt("nobody here", at: "00:00")
    #expect(known.status == 15 && unknown.status == 15)
    #expect(known.errors == unknown.errors && known.errors.contains("the name or the passphrase is wrong"))
    for second in 1...4 {
      for name in ["vera", "nobody here"] { #expect(try attempt(name, at: "00:0\(second)").errors == known.errors) }
    }
    for name in ["vera", "nobody here"] {
      #expect(try attempt(name, at: "00:05").errors.contains("looked at in 4 seconds"))
    }
    #expect(try attempt("vera", at: "00:06", right: true).status == 15)
    #expect(try attempt("ned", at: "00:06", right: true).status == 0)
    #expect(try attempt("vera", at: "00:10", right: true).status == 0)
    #expect(try attempt("vera", at: "00:11").errors == known.errors)
    let log = try site.run(as: "ann", "audit", "log", "--access", "--json").jsonLines()
    let tries = log.filter { $0["operation"] as? String == "user.sign_in" && $0["kind"] as? String == "refusal" }
    #expect(tries.count { $0["actor"] as? String == "vera" } == 6)
    #expect(tries.count { $0["actor"] as? String == "nobody" } == 5 && !"\(tries)".contains("nobody here"))
  }

  @Test func `a passphrase comes by file, descriptor or standard input, its line's end taken off`() throws {
    let site = try Site()
    let text = "the four words of vera"
    #expect(try site.vetnet.run("status", "--as", "vera", "--passphrase-fd", "0", input: text).status == 0)
    #expect(
      try site.vetnet.run("status", "--as", "VERA", "--passphrase-file", "-", input: text + "\r\nmore").status == 0)
    #expect(try site.vetnet.run("status", "--as", "vera", "--passphrase-fd", "77").status == 64)
    #expect(try site.vetnet.run("status", "--as", "vera", "--passphrase-file", "-", input: "\n").status == 1)
    // What stands behind it stays for the command.
    let triaged = try site.vetnet.run(
      "triage", "-", "--json", "--as", "vera", "--passphrase-fd", "0",
      input: text + "\nmy cat is not breathing and her gums are blue")
    #expect(try triaged.json()["urgency"] as? String == "red")
    let readable = try site.passphrase("vera")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: readable)
    let warned = try site.vetnet.run("status", "--as", "vera", "--passphrase-file", readable)
    #expect(warned.status == 0 && warned.errors.contains("chmod 600"))
    // Without a terminal nobody is asked.
    let nothing = try site.vetnet.start(["status", "--as", "vera"], launcher: ["/usr/bin/setsid", "-w"]).wait()
    #expect(nothing.status == 64 && nothing.errors.contains("--passphrase-file"))
  }

  @Test func `an administrator changes roles, disables and sets passphrases, and can't lock everybody out`() throws {
    let site = try Site()
    #expect(try site.run(as: "ann", "user", "role", "rose", "nurse").status == 0)
    #expect(try site.run(as: "rose", "patient", "timeline", "Rex").status == 0)
    #expect(try site.run(as: "ann", "user", "disable", "rose").status == 0)
    #expect(try site.run(as: "rose", "status").status == 15)
    #expect(try site.run(as: "ann", "user", "enable", "rose").status == 0)
    #expect(try site.run(as: "rose", "status").status == 0)
    for words in [["user", "disable", "ann"], ["user", "role", "ann", "nurse"]] {
      let refused = try site.vetnet.start(
        words + ["--as", "ann", "--passphrase-file", try site.passphrase("ann")]
      ).wait()
      #expect(refused.status == 1 && refused.errors.contains("only administrator"))
    }
    let new = try site.folder.write("words that are new to him", to: "keys/new")
    func passphrase(of name: String, by actor: String) throws -> VetNetProcess.Outcome {
      try site.vetnet.run(
        "user", "passphrase", name, "--new-passphrase-file", new, "--as", actor, "--passphrase-file",
        try site.passphrase(actor))
    }
    #expect(try passphrase(of: "ned", by: "vera").status == 15)
    #expect(try passphrase(of: "ned", by: "ned").status == 0)
    #expect(try site.run(as: "ned", "status").status == 15)
    #expect(try site.vetnet.run("status", "--as", "ned", "--passphrase-file", new).status == 0)
    #expect(try passphrase(of: "vera", by: "ann").status == 0)
    #expect(try site.vetnet.run("status", "--as", "vera", "--passphrase-file", new).status == 0)
    let users = try site.run(as: "ann", "user", "list", "--json").jsonLines()
    #expect(users.map { $0["name"] as? String } == ["ann", "vera", "ned", "rose"])
    #expect(try site.run(as: "ann", "audit", "verify").status == 0)
  }

  @Test func `whoever has logged in acts without a passphrase until they log out, are idle or are disabled`() throws {
    let site = try Site()
    let vetnet = site.vetnet
    let vera = try site.passphrase("vera")
    func timeline(at time: String = "09:00") throws -> Int32 {
      try vetnet.run("patient", "timeline", "Rex", "--now", "2027-01-04T\(time)").status
    }
    func login(_ name: String, at time: String = "09:00") throws -> VetNetProcess.Outcome {
      try vetnet.run(
        "login", "--as", name, "--passphrase-file", site.passphrase(name), "--json", "--now", "2027-01-04T\(time)")
    }
    #expect(try vetnet.run("login").status == 64)
    #expect(try vetnet.run("login", "vera", "--passphrase-file", site.passphrase("wrong")).status == 15)
    #expect(try timeline() == 15)
    #expect(try login("vera").json()["role"] as? String == "veterinarian")
    #expect(try timeline() == 0)
    // The token is a file of one's own, and the practice file doesn't hold it.
    let folder = site.folder.file("run/vetnet")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 1)
    let file = folder + "/" + (names.first ?? "")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    let token = try Data(contentsOf: URL(filePath: file)).dropLast()
    for name in try FileManager.default.contentsOfDirectory(atPath: site.folder.path) where name.hasPrefix("p.vetnet") {
      #expect(try Data(contentsOf: URL(filePath: site.folder.file(name))).range(of: token) == nil, "\(name)")
    }
    // Idle by the clock that is given, and by the machine's, which --now doesn't move.
    #expect(try timeline(at: "09:14") == 0 && timeline(at: "09:28") == 0 && timeline(at: "09:44") == 15)
    try login("vera")
    #expect(try timeline() == 0)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -960)], ofItemAtPath: file)
    #expect(try timeline() == 15)
    try login("vera")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    #expect(try timeline() == 15)
    // Another person takes over; one command may be another's.
    try login("vera")
    try login("rose")
    #expect(try timeline() == 15)
    #expect(try site.run(as: "vera", "patient", "timeline", "Rex").status == 0)
    #expect(try vetnet.run("logout").errors.contains("Signed out") && vetnet.run("logout").status == 0)
    #expect(try vetnet.run("patient", "find", "Rex").status == 15)
    try login("vera")
    #expect(try site.run(as: "ann", "user", "disable", "vera").status == 0)
    #expect(try timeline() == 15)
    #expect(try vetnet.run("login", "vera", "--passphrase-file", vera).status == 15)
  }

  @Test func `an account of the operating system unlocks a user only where the practice allows it`() throws {
    let site = try Site()
    let account = try #require(
      try site.run(as: "ann", "audit", "log", "--json").jsonLines().compactMap {
        $0["role"] as? String == "owner" ? $0["actor"] as? String : nil
      }.first)
    #expect(try site.run(as: "ann", "user", "link-os", "vera", account).errors.contains("doesn't use that yet"))
    #expect(try site.run(as: "ann", "user", "link-os", "ned", account).status == 1)
    #expect(try site.vetnet.run("patient", "timeline", "Rex").status == 15)
    #expect(try site.run(as: "vera", "user", "rules", "--os-accounts", "on").status == 15)
    let rules = try site.run(as: "ann", "user", "rules", "--os-accounts", "on", "--idle", "5", "--json").json()
    #expect(rules["idle_minutes"] as? Int == 5 && rules["account_unlock"] as? Bool == true)
    #expect(try site.vetnet.run("patient", "timeline", "Rex").status == 0)
    let last = try #require(try site.run(as: "ann", "audit", "log", "--user", "vera", "--json").jsonLines().first)
    #expect(last["operation"] as? String == "patient.timeline" && last["role"] as? String == "veterinarian")
    #expect(try site.run(as: "ann", "user", "link-os", "vera", "none").status == 0)
    #expect(try site.vetnet.run("patient", "timeline", "Rex").status == 15)
  }

  @Test func `what a practice switches off is refused, for everybody, and status shows it`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    try vetnet.run("patient", "add", "Rex", "--species", "dog")
    func features() throws -> [String: Bool] {
      let lines = try vetnet.run("config", "feature", "--json").jsonLines()
      return Dictionary(
        uniqueKeysWithValues: lines.map { ($0["name"] as? String ?? "", $0["on"] as? Bool ?? false) })
    }
    let inPractice = ["workspace": true, "assistant": true, "reader": true, "book-questions": true]
    // What leaves a practice is off until it says otherwise.
    let leaving = ["share-terms": false, "share-cases": false, "share-figures": false]
    #expect(try features() == inPractice.merging(leaving) { $1 })
    #expect(try vetnet.run("mcp").status == 0)
    #expect(try vetnet.run("config", "feature", "assistent", "off").errors.contains("'assistant'"))
    #expect(try vetnet.run("config", "feature", "assistant").status == 64)
    #expect(try vetnet.run("config", "feature", "assistant", "off", "--dry-run").status == 0)
    #expect(try vetnet.run("mcp").status == 0)
    for name in ["assistant", "workspace", "reader", "book-questions"] {
      #expect(try vetnet.run("config", "feature", name, "off").status == 0)
    }
    #expect(try !features().values.contains(true))
    let status = try vetnet.run("status")
    #expect(status.output.contains("switched off") && status.output.contains("assistant"))
    for words in [
      ["mcp"], ["serve", "--listen", "127.0.0.1:0"],
      ["ask", "any reactions?", "--patient", "Rex", "--reader", "/bin/true"],
    ] {
      let refused = try vetnet.start(words).wait()
      #expect(refused.status == 15 && refused.errors.contains("switched off"), "\(words) \(refused)")
    }
    // Then such a question is one to the record.
    #expect(try vetnet.run("ask", "who is free tomorrow at 3?", "--json").json()["answer_class"] != nil)
    #expect(try vetnet.run("config", "feature", "assistant", "on").status == 0)
    #expect(try vetnet.run("mcp").status == 0)
  }
}
