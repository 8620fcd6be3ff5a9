import Assessment
import Clinical
import Foundation

extension CaseModel {
  /// The weights of one task before they are packed: for each output a weight per bucket.
  struct FittedTask {
    var task: Task
    var shares: [Double]
    var outputs: [String]
    var intercepts: [Double]
    var weights: [[Float]]
  }

  /// How many entries a sketch has.
  static let sketchLength = 32

  /// The bytes that ``init(bytes:file:)`` reads.
  ///
  /// - Precondition: the tasks are those of ``Task``, in any order.
  static func bytes(
    version: String, triageProtocol: String, seed: UInt64, checksum: String, vectorizer: CaseVectorizer,
    tasks: [FittedTask], exemplars: [(id: String, urgency: Urgency)], vectors: [CaseVector]
  ) throws -> [UInt8] {
    precondition(exemplars.count == vectors.count, "\(exemplars.count) exemplars, \(vectors.count) vectors")
    let ids = exemplars.flatMap { Array($0.id.utf8) + [UInt8(ascii: "\n")] }
    let headers = tasks.map { fitted in
      TaskHeader(
        task: fitted.task.rawValue, shares: fitted.shares, outputs: fitted.outputs,
        intercepts: fitted.intercepts.map { ($0 * 1e5).rounded() / 1e5 },
        scales: fitted.weights.map { weights in Double(weights.reduce(0) { max($0, abs($1)) }) })
    }
    let header = Header(
      version: version, triageProtocol: triageProtocol, seed: seed, exemplars: vectors.count, checksum: checksum,
      buckets: CaseVectorizer.buckets, blocks: FeatureBlock.allCases.map(\.rawValue), sketchLength: sketchLength,
      idLength: ids.count, tasks: headers)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let head = [UInt8](try encoder.encode(header))
    var file = magic
    for shift in 0..<4 { file.append(UInt8(truncatingIfNeeded: head.count >> (8 * shift))) }
    file += head
    for number in vectorizer.rarity + vectorizer.marks {
      file.append(UInt8(truncatingIfNeeded: number))
      file.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    for (fitted, header) in zip(tasks, headers) {
      for block in FeatureBlock.allCases where fitted.shares[block.index] > 0 {
        for bucket in block.buckets {
          for output in fitted.outputs.indices {
            file.append(packed(Double(fitted.weights[output][bucket]), scale: header.scales[output]))
          }
        }
      }
    }
    for vector in vectors {
      let entries = sketch(vector, length: sketchLength)
      for index in 0..<sketchLength {
        let entry = index < entries.count ? entries[index] : (bucket: 0, value: 0)
        file.append(UInt8(truncatingIfNeeded: entry.bucket))
        file.append(UInt8(truncatingIfNeeded: entry.bucket >> 8))
        file.append(UInt8((entry.value * 255).rounded()))
      }
    }
    file += exemplars.map { UInt8($0.urgency.rank) }
    file += ids
    return file
  }

  /// A weight as a byte: the signed root of its share of the largest.
  static func packed(_ weight: Double, scale: Double) -> UInt8 {
    guard scale > 0 else { return 0 }
    let root = (abs(weight) / scale).squareRoot() * largest
    return UInt8(bitPattern: Int8(min(largest, root.rounded()) * (weight < 0 ? -1 : 1)))
  }
}
