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
  /// To put readings on record where the practice is open for reading only.
  var logConnection: Connection?
  /// How many were.
  var recordedAside = 0
  /// What was read before.
  var readings = ReadingMemo()

  init(isStill: Bool) { self.isStill = isStill }
}
