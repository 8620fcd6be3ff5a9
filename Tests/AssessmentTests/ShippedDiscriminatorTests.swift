import Clinical
import Testing

@testable import Assessment

/// The shipped protocol judged by its own examples: every discriminator, every row.
struct ShippedDiscriminatorTests {
  struct Failure: CustomStringConvertible {
    let id: String
    let text: String
    let found: [String]

    var description: String { "\(id): \"\(text)\" gave \(found)" }
  }

  /// The first species a discriminator is for, so that its examples need not name one.
  private func intake(_ text: String, _ discriminator: Discriminator) -> Intake {
    let named = text.lowercased().split { !$0.isLetter }.compactMap { Species(describing: $0) }
    let allowed = discriminator.species
    if let named = named.first(where: { allowed?.contains($0) ?? true }) { return Intake(text, species: named) }
    let species = allowed.flatMap { all in Species.allCases.first { all.contains($0) } }
    return Intake(text, species: species ?? .dog)
  }

  @Test func `every example fires its discriminator`() throws {
    let engine = try Shipped.engine()
    var failures: [Failure] = []
    for discriminator in engine.triageProtocol.discriminators {
      for example in discriminator.examples {
        let result = engine.assess(intake(example, discriminator))
        if !result.fired.contains(where: { $0.id == discriminator.id }) {
          failures.append(
            Failure(
              id: discriminator.id, text: example,
              found: result.fired.map(\.id) + result.suppressed.map { "(\($0.id) \($0.reason))" }))
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `no negative example fires its discriminator`() throws {
    let engine = try Shipped.engine()
    var failures: [Failure] = []
    for discriminator in engine.triageProtocol.discriminators {
      for example in discriminator.negativeExamples {
        let result = engine.assess(intake(example, discriminator))
        if let fired = result.fired.first(where: { $0.id == discriminator.id }) {
          failures.append(Failure(id: discriminator.id, text: example, found: fired.evidence.map(\.quote)))
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `every discriminator has a source, an example and a negative example`() throws {
    for discriminator in try Shipped.vtl().discriminators {
      #expect(!discriminator.source.isEmpty && !discriminator.examples.isEmpty, "\(discriminator.id)")
      #expect(!discriminator.negativeExamples.isEmpty, "\(discriminator.id)")
    }
  }
}
