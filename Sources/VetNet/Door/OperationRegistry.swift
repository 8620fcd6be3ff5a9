/// Every operation there is.
public enum OperationRegistry {
  /// In the order in which the documentation lists them.
  public static let all: [any Operation.Type] = [
    FindPatients.self, IdentifyPatient.self, PatientInQuestion.self, ShowPatient.self, ListTimeline.self,
    ChartPatient.self, AddPatient.self, ErasePatient.self, ShowRegistration.self, AmendPatient.self, ShowNote.self,
    AddNote.self, AmendNote.self, MoveNote.self,
    RetractNote.self, ReinstateNote.self, Ask.self, FindSimilar.self, ListBriefed.self, BriefDay.self,
    BriefAppointment.self,
    BriefPatient.self, AssessIntake.self, OverrideTriage.self, GuideTriage.self, ListOverrides.self,
    EvaluateTriage.self,
    ImportRecords.self, ListImports.self, ShowImport.self, UndoImport.self, GuessMapping.self, ReadLetters.self,
    ExportRecords.self, ShowStatus.self, Examine.self,
    VerifyPractice.self, PlanReindex.self, Reindex.self, BackUp.self, RestoreBackup.self, ShowDay.self,
    ShowAppointment.self,
    ProposeSlots.self, BookAppointment.self, MoveAppointment.self, CancelAppointment.self, SetLimits.self,
    ListVisitTypes.self, ListWaiting.self, ExplainVisit.self, ExplainRefusal.self, ExportCalendar.self,
    WeighReserve.self, SetReserve.self, OptimizePlan.self, RearrangeVisits.self, BookEmergency.self, UndoPlan.self,
    RedoPlan.self,
    ListPlanChanges.self, ComparePlans.self, ReadAuditLog.self, ExportAudit.self, VerifyAudit.self,
    AnchorAudit.self, KeepAccesses.self, CompactAudit.self, ListChanges.self,
    ListSettings.self, ChangeSetting.self, FindFreeTimes.self, IdentifyStaff.self, IdentifyResource.self, AskBook.self,
    CompletePatients.self, CompleteBook.self, GatherPassages.self, CheckGuest.self,
    ListKeys.self, AddKey.self, ChangeKey.self, RemoveKey.self, EncryptPractice.self, DecryptPractice.self,
    ListUsers.self, AddUser.self, SetUserRole.self, SetLocationRole.self, DisableUser.self, SetOwnPassphrase.self,
    ResetPassphrase.self, LinkAccount.self, SetSignInRules.self, ListFeatures.self, SwitchFeature.self, ListJobs.self,
    AddToInbox.self, ListInbox.self, ShowInboxItem.self, AssignInboxItem.self, SetInboxItemAside.self, UndoInbox.self,
    CountInbox.self, ListInboxDecisions.self, SetSeveralAside.self,
    ListCalendars.self, KeepCalendar.self, RemoveCalendar.self, SetStaffAddress.self, SyncCalendars.self,
    MergePatients.self, SplitPatient.self, TagRecord.self, ListTags.self, ShowTags.self, FindTagged.self,
    ListLocations.self, IdentifyLocation.self, AddLocation.self, SetLocationHours.self, ListClosures.self,
    ChangeClosures.self, PlaceRooms.self, ListStaff.self, ChangeStaff.self, ListSpecialists.self,
  ]
}
