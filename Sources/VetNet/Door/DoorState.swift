import Store

/// What the door of a practice keeps between operations, and while one passes.
public final class DoorState {
  /// Why the last reading, or the end of the last long work, is not on record; nil where it is.
  public internal(set) var unrecorded: String?
  /// Whether this is a backup that is looked at where it lies: nothing is put on record, for nothing may be changed in it.
  public let isStill: Bool
  /// Asked between the steps of long work: the signal to stop for, if one came.
  public var stopSignal: () -> Int32? = { nil }
  /// What is on its way through the door.
  var passage: Passage?
  /// To put on record what happens in the middle of a reading.
  var logConnection: Connection?
  /// How many were.
  private var recordedAside = 0
  /// What was read before.
  var readings = ReadingMemo()

  init(isStill: Bool) { self.isStill = isStill }

  /// Empties SQLite's log behind what was put on record, now and then.
  ///
  /// A program that answers one question and ends is alone with the file: the next reads the whole log before anything else, and
  /// doesn't know what of it stands in the file already, so that without this the log would begin anew at none of them. It waits for
  /// nobody. Where somebody reads at every moment of a long life, the log wouldn't begin anew either: then the end of such a reading is
  /// waited for.
  func shortenLog(of connection: Connection) {
    let isFirst = recordedAside == 0
    recordedAside += 1
    guard isFirst || recordedAside.isMultiple(of: Self.recordsBetweenLooks) else { return }
    let longest = isFirst ? Self.logLeftBehind : Self.longestLog
    guard FileBytes.count(of: connection.path + "-wal") ?? 0 > longest else { return }
    _ = try? connection.checkpoint(
      truncate: true, waitingMilliseconds: isFirst ? 0 : Practice.recordMilliseconds)
  }

  private static let recordsBetweenLooks = 64
  /// Bytes of log that a program may leave to the next: a dozen readings' worth, which are read in half a millisecond.
  private static let logLeftBehind = 1 << 20
  /// Bytes of log that a program which goes on may gather.
  private static let longestLog = 64 << 20
}
