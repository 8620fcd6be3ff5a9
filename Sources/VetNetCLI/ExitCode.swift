/// What the shell is told. The numbers are an interface: scripts depend on them.
enum ExitCode: Int32 {
  case ok = 0
  case failed = 1
  /// The work is done, but some of the input was rejected.
  case someInputRejected = 3
  /// The record has no evidence; only with `--exit-status`.
  case noEvidence = 4
  case ambiguousPatient = 5
  case noPracticeFile = 10
  case locked = 11
  /// The file is encrypted, and what was given doesn't open it.
  case key = 12
  case integrity = 13
  /// The role of whoever wants it doesn't have the permission, or nobody is signed in.
  case notPermitted = 15
  case usage = 64
  /// A job over many practices has another round to do.
  case anotherRound = 75
  case interrupted = 130
  case terminated = 143
}
