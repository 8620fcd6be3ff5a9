import Clinical
import Evaluation
import FoundationEssentials
import VetNet

enum SimulateCommand {
  static let command = Command(
    "simulate", "writes a synthetic practice of any size in the import format",
    options: [
      Option("--patients", "N", "how many (default 100)"),
      Option("--seed", "S", "another number gives another practice (default 1)"),
      Option("--notes-per-patient", "N", "on average (default 20)"),
      Option("--until", "DATE", "the last day of the record (default: the day of --now, or today)"),
      Option("--out", "DIR", "where the files go; made when it isn't there"),
    ],
    examples: [
      Example(
        "vetnet simulate --patients 500 --seed 7 --until 2026-11-20 --out practice", "10,000 notes, always the same"),
      Example("vetnet simulate --patients 50000 --out large", "a million notes"),
    ],
    discussion: """
      Owners, animals with their illnesses, notes, staff, rooms, finished visits with plausible lengths and two weeks of diary. For
      measuring speed and size, and for trying things out; not for judging answers or triage: real notes are in nobody's tables.
      The same patients, seed and last day give the same bytes; memory does not grow with the number of patients.
      """
  ) { invocation in
    let arguments = invocation.arguments
    guard let folder = arguments.value("--out") else { throw UsageError("'vetnet simulate' needs --out DIR") }
    let patients = try invocation.integer("--patients", in: 1...10_000_000) ?? 100
    let zone = PracticeTimeZone.utc
    let until = try invocation.day("--until", in: zone) ?? zone.date(of: invocation.now(in: zone))
    let configuration = PracticeSimulator.Configuration(
      patients: patients, seed: UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1),
      notesPerPatient: Double(try invocation.integer("--notes-per-patient", in: 1...1000) ?? 20), until: until)
    let simulator = try PracticeSimulator(configuration, models: invocation.models())
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw PracticeError(.failed, "can't create the folder '\(folder)'")
    }
    let bar = ProgressBar("simulate", isVisible: invocation.terminal.stderrIsTerminal)
    let counts = try simulator.write(to: PracticeRecordsWriter(folder: folder)) { done in
      bar.update(done: done, total: patients, detail: "patients")
    }
    bar.finish()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        Summary(out: folder, patients: patients, notes: counts.notes, appointments: counts.appointments))
    } else {
      invocation.terminal.print(
        "\(folder): \(patients) patients, \(counts.notes) notes, \(counts.appointments) appointments")
    }
    return .ok
  }

  private struct Summary: Encodable {
    let out: String
    let patients: Int
    let notes: Int
    let appointments: Int
  }
}
