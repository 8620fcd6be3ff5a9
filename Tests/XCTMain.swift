import Testing

/// Where the test program begins. The package has Swift Testing's tests alone, so the build needs no index to look for others.
@main
struct TestProgram {
  static func main() async {
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
