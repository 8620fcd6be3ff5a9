/// Every command, in the order in which help shows them.
enum CommandTable {
  static let all: [Command] = practice + measuring

  /// What scripts and make install call; help doesn't show them.
  static let hidden: [Command] = [
    CompletionCommands.complete, ManualCommand.command, CompileModelsCommand.command, DecodePhotoCommand.command,
    NetworkWorkerCommands.worker,
  ]

  private static let practice: [Command] = [
    InitCommand.command,
    ImportCommand.command, ImportCommand.log, ImportCommand.undo, ExportCommand.command,
    PatientCommands.find, PatientCommands.show, PatientCommands.timeline, PatientChartCommand.command,
    PatientCommands.add, PatientMergeCommands.merge, PatientMergeCommands.split, PatientEraseCommand.command,
    NoteCommands.show, NoteCommands.add, NoteCorrectionCommands.amend, NoteCorrectionCommands.move,
    NoteCorrectionCommands.retract,
    EncounterCommands.new, EncounterCommands.list, EncounterCommands.show, EncounterCommands.edit,
    EncounterCommands.section, EncounterCommands.advance, EncounterCommands.sign, EncounterCommands.amend,
    EncounterCommands.discard, EncounterCommands.summary, EncounterCommands.cases,
    IntakeCommand.command,
    InboxCommands.list, InboxCommands.show, InboxCommands.assign, InboxCommands.book, InboxCommands.ask,
    InboxCommands.reject, InboxCommands.later,
    InboxCommands.undo, InboxTransferCommands.export, InboxTransferCommands.add,
    CalendarCommands.list, CalendarCommands.add, CalendarCommands.remove, CalendarCommands.address,
    SyncCommands.clone, SyncCommands.sync, SyncCommands.conflicts, SyncCommands.settle, CalendarFeedCommands.add,
    CalendarFeedCommands.list, CalendarFeedCommands.withdraw,
    TagCommands.add, TagCommands.remove, TagCommands.list,
    PhotoCommands.add, PhotoCommands.list, PhotoCommands.show, PhotoCommands.save, PhotoCommands.tag,
    PhotoCommands.file,
    PhotoCommands.remove, PhotoCommands.checks,
    AskCommand.command,
    SimilarCommand.command,
    TriageCommand.command, TriageCommand.overrides,
    BriefCommand.command,
    DrugCommand.command,
    ScheduleCommands.show, ScheduleFreeCommand.command, ScheduleCommands.propose, ScheduleCommands.book,
    ScheduleCommands.move,
    ScheduleCommands.cancel, SchedulePlanCommands.optimize, SchedulePlanCommands.emergency, SchedulePlanCommands.undo,
    SchedulePlanCommands.redo, SchedulePlanCommands.log, SchedulePlanCommands.diff, SchedulePlanCommands.waiting,
    ScheduleReasonCommands.why, ScheduleReasonCommands.whyNot, ScheduleReasonCommands.set, ScheduleReasonCommands.risk,
    ScheduleReasonCommands.export, FlowCommands.flow, FlowCommands.stage, ScheduleCommands.generate,
    ServeCommand.command, InsightsCommand.command,
    ReindexCommand.command, EmbedCommand.command,
    NetworkCommands.reindex, NetworkCommands.model, NetworkCommands.similar, NetworkCommands.pool,
    NetworkCommands.evaluate, NetworkWorkerCommands.sketch, NetworkWorkerCommands.map, NetworkWorkerCommands.sum,
    NetworkWorkerCommands.finish, NetworkWorkerCommands.key,
    CompletionCommands.command, ModelContextCommand.command,
    ConfigCommands.list, ConfigCommands.get, ConfigCommands.set, ConfigCommands.unset, ConfigFeatureCommand.command,
    AliasCommands.alias, AliasCommands.list, AliasCommands.remove,
    StatusCommand.command,
    DoctorCommand.command,
    BackupCommands.backup, BackupCommands.restore, VerifyCommand.command,
    AuditCommands.log, AuditCommands.verify, AuditCommands.anchor, AuditCommands.export, AuditCommands.keep,
    AuditCommands.compact,
    EncryptCommands.encrypt, EncryptCommands.decrypt,
    KeyCommands.list, KeyCommands.add, KeyCommands.change, KeyCommands.remove, KeyCommands.hold, KeyCommands.forget,
    UserCommands.add, UserCommands.list, UserCommands.role, UserCommands.disable, UserCommands.enable,
    LocationCommands.list, LocationCommands.add, LocationCommands.hours, LocationCommands.closures,
    LocationCommands.rooms, StaffCommands.show, StaffCommands.set,
    UserCommands.passphrase, UserCommands.linkAccount, UserCommands.rules, LoginCommands.login, LoginCommands.logout,
    DeviceCommands.enroll, DeviceCommands.list, DeviceCommands.revoke,
  ]

  private static let measuring: [Command] =
    ([EvaluateCommand.retrieval] + SuiteCommands.all
    + [
      LayoutSuiteCommand.command, LetterSuiteCommand.command, InboxSuiteCommand.command, NamesSuiteCommand.command,
      FitTriageCommand.command, FitReactionsCommand.command, FitAnswersCommand.command, FitNamesCommand.command,
      KnownWordsCommand.command,
      CuesCommand.command, SimulateCommand.command,
      BenchCommand.practice,
      BenchCommand.search,
      BenchCommand.emergencies,
      BenchCommand.encryption,
    ]).map(\.measuring)
}
