import Testing

/// Where the test program begins. The package has Swift Testing's tests alone, so the build needs no index to look for others;
/// `swift test` asks for the others first, and is told that there are none.
@main
struct TestProgram {
  static func main() async {
    if CommandLine.arguments.contains("--dump-tests-json") { return print(#"{"name": "All tests", "tests": []}"#) }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
