/// Every command, in the order in which help shows them.
enum CommandTable {
  static let all: [Command] = practice + measuring

  private static let practice: [Command] = [
    InitCommand.command,
    ImportCommand.command, ImportCommand.log, ImportCommand.undo,
    PatientCommands.find, PatientCommands.show, PatientCommands.timeline, PatientChartCommand.command,
    PatientCommands.add, PatientEraseCommand.command,
    NoteCommands.show, NoteCommands.add, NoteCorrectionCommands.amend, NoteCorrectionCommands.move,
    NoteCorrectionCommands.retract,
    AskCommand.command,
    SimilarCommand.command,
    TriageCommand.command, TriageCommand.overrides,
    BriefCommand.command,
    DrugCommand.command,
    ScheduleCommands.show, ScheduleCommands.propose, ScheduleCommands.book, ScheduleCommands.move,
    ScheduleCommands.cancel, SchedulePlanCommands.optimize, SchedulePlanCommands.emergency, SchedulePlanCommands.undo,
    SchedulePlanCommands.redo, SchedulePlanCommands.log, SchedulePlanCommands.diff, SchedulePlanCommands.waiting,
    ScheduleReasonCommands.why, ScheduleReasonCommands.whyNot, ScheduleReasonCommands.set, ScheduleReasonCommands.risk,
    ScheduleReasonCommands.export, ScheduleCommands.generate,
    ReindexCommand.command,
    StatusCommand.command,
    DoctorCommand.command,
    BackupCommands.backup, BackupCommands.restore, VerifyCommand.command,
    AuditCommands.log, AuditCommands.verify, AuditCommands.anchor, AuditCommands.export, AuditCommands.keep,
    AuditCommands.compact,
  ]

  private static let measuring: [Command] =
    [EvaluateCommand.retrieval] + SuiteCommands.all
    + [
      FitTriageCommand.command, FitReactionsCommand.command, FitAnswersCommand.command, KnownWordsCommand.command,
      SimulateCommand.command,
      BenchCommand.practice,
      BenchCommand.search,
      BenchCommand.emergencies,
    ]
}
