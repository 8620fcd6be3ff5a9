import Clinical
import FoundationEssentials
import Glibc
import VetNet

// A closed pipe is then an error code of `write`, which the terminal turns into a quiet end.
signal(SIGPIPE, SIG_IGN)
// So is a limit on the size of files, which is then said like a full disk.
signal(SIGXFSZ, SIG_IGN)

// Nothing that VetNet writes is for other users of the machine.
umask(0o077)

let tool = CommandLineTool(
  commands: CommandTable.all,
  environment: ProcessInfo.processInfo.environment,
  executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments.first ?? "vetnet",
  clock: { Timestamp(seconds: Int64(time(nil))) },
  confine: { reach, files in
    ServiceNotifier.open(for: reach, environment: ProcessInfo.processInfo.environment)
    Confinement.take(reach, files: files)
  })

let leftOpen = LeftOpen(endsProcess: true)
let code = tool.run(Array(CommandLine.arguments.dropFirst()), leaving: leftOpen)
leftOpen.end()
exit(code.rawValue)
