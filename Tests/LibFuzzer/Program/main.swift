import CLibFuzzer
import Foundation
import FuzzTargets

// One reader of `FuzzTarget`, which VETNET_FUZZ_TARGET names, under the toolchain's libFuzzer: it keeps what takes the reader where no
// input has been, and makes its next inputs of that. Arguments are libFuzzer's own. Without a target, the targets are listed.
//
// Not an argument, because libFuzzer starts itself again with its arguments while it merges.

enum Reader {
  nonisolated(unsafe) static var bench: FuzzBench?
  nonisolated(unsafe) static var target = FuzzTarget.csv
}

let environment = ProcessInfo.processInfo.environment
guard let name = environment["VETNET_FUZZ_TARGET"] else {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(0)
}
guard let target = FuzzTarget(rawValue: name), let folder = environment["VETNET_FUZZ_FOLDER"] else {
  print("VETNET_FUZZ_TARGET names one of the targets, VETNET_FUZZ_FOLDER a folder for what is read.")
  exit(2)
}
Reader.bench = try FuzzBench(models: FileManager.default.currentDirectoryPath + "/Models", folder: folder)
Reader.target = target

let words = "\(folder)/words.dict"
try target.libFuzzerDictionary.write(toFile: words, atomically: true, encoding: .utf8)
var arguments: [UnsafeMutablePointer<CChar>?] = (CommandLine.arguments + ["-dict=\(words)"]).map { strdup($0) }
var count = CInt(arguments.count)
arguments.append(nil)
let status = arguments.withUnsafeMutableBufferPointer { buffer -> CInt in
  guard var start = buffer.baseAddress else { return 2 }
  return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
    Reader.bench?.run(Reader.target, [UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
}
exit(status)
