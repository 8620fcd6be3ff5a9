import Assessment

/// What a practice met, read and judged before.
public final class PracticeMemos {
  /// Ids of notes that were met and are not what was written: nothing was quoted from them; `doctor` says more.
  public internal(set) var damagedNotes: Set<String> = []
  /// What became of visits of the type that was asked for last.
  var outcomes: (key: OutcomeKey, values: [String: StaffOutcome])?
  /// What was learned of lengths, as it was read last: a day's appointments ask for it one by one.
  var taughtDurations: TaughtDurations?
  /// What was judged before.
  let judgements = JudgementMemo()
  /// Which passages there are.
  let chunkTables = ChunkTableMemo()
}
