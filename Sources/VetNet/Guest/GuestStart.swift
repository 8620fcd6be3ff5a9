import CSandbox
import Glibc

/// A guest that runs: its process, and the way to the address that it may reach.
struct StartedGuest {
  let process: pid_t
  /// Nil where it has no network.
  let relay: GuestRelay?

  /// Starts a program with its limits, in a process group of its own.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - limits: what it may take and reach.
  ///   - input: its standard input.
  ///   - output: its standard output.
  /// - Throws: ``PracticeError`` where there is no such program, or where a limit can't be held here: then nothing was run.
  init(_ words: [String], limits: GuestProcess.Limits, input: Int32, output: Int32) throws {
    var gate: [Int32] = [-1, -1]
    if limits.address != nil,
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &gate) != 0
    {
      throw PracticeError(.failed, "no way to the reader can be made: \(String(cString: strerror(errno)))")
    }
    defer { gate.filter { $0 >= 0 }.forEach { close($0) } }
    var guest = vetnet_guest()
    guest.input = input
    guest.output = output
    guest.gate = gate[1]
    guest.address = limits.address?.address ?? 0
    guest.port = limits.address?.port ?? 0
    guest.memory_bytes = UInt64(limits.megabytes) << 20
    guest.processor_seconds = UInt64(limits.processorSeconds ?? limits.seconds * 8)
    var failure = vetnet_guest_failure()
    process = Self.withWords(words) { words in
      Self.withWords(Self.variables) { vetnet_start_guest(&guest, words, $0, &failure) }
    }
    guard process > 0 else { throw Self.error(failure, program: words[0], limits) }
    let listener = limits.address == nil ? -1 : vetnet_take_gate(gate[0])
    relay = limits.address.flatMap { listener < 0 ? nil : GuestRelay(listener: listener, to: $0) }
  }

  /// Where programs are found, and nothing of the practice.
  private static var variables: [String] {
    ["PATH", "HOME", "LANG", "TMPDIR"].compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
  }

  private static func withWords<Result>(
    _ words: [String], _ work: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeMutableBufferPointer { work($0.baseAddress) }
  }

  private static func error(
    _ failure: vetnet_guest_failure, program: String, _ limits: GuestProcess.Limits
  ) -> PracticeError {
    let why = String(cString: strerror(failure.error))
    switch UInt32(failure.stage) {
    case VETNET_GUEST_NETWORK.rawValue, VETNET_GUEST_LISTENER.rawValue:
      return PracticeError(
        .failed,
        "this system lets nobody give a program a network of its own (\(why)), so the reader can't be kept to \(limits.address.map(String.init(describing:)) ?? "an address") and was not run",
        hint: "Maybe the reader needs no network: leave out --reader-network.")
    case VETNET_GUEST_SOCKETS.rawValue:
      return PracticeError(
        .failed, "this system can't keep a program from the network (\(why)), so \(limits.called) was not run",
        hint: "That takes a kernel with seccomp.")
    case VETNET_GUEST_PROGRAM.rawValue:
      return PracticeError(.failed, "\(limits.called) '\(program)' can't be started: \(why)")
    default: return PracticeError(.failed, "\(limits.called) can't be started: \(why)")
    }
  }
}
