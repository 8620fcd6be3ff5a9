import Foundation

/// Compiles one of `Tests/Faults` with what compiler there is.
///
/// - Parameters:
///   - name: such as `sockets.c`.
///   - path: what is made.
///   - flags: such as `-shared`.
/// - Throws: where there is no compiler, or it finds a fault.
public func compile(_ name: String, to path: String, _ flags: [String] = []) throws {
  struct NotCompiled: Error {}
  let compiler = Process()
  compiler.executableURL = URL(filePath: "/usr/bin/env")
  compiler.arguments =
    [
      "sh", "-c", "for c in cc clang gcc; do command -v $c >/dev/null && exec $c \"$@\"; done; exit 127", "sh",
    ] + flags + ["-o", path, projectDirectory + "/Tests/Faults/\(name)"]
  try compiler.run()
  compiler.waitUntilExit()
  guard compiler.terminationStatus == 0 else { throw NotCompiled() }
}
