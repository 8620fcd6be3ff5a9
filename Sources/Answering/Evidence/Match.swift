import Extraction

/// One sentence of the record and where it holds what a question asks about.
///
/// A class, though it never changes: readings are sorted, filtered and handed on by the hundred.
package final class Match: Sendable {
  /// Where one group of the question was found.
  struct Part: Sendable {
    let group: Int
    /// 0...1: how closely the words mean what was asked.
    let closeness: Double
    let range: Range<Int>
    /// Where the other words of a phrase stand.
    var others: [Range<Int>] = []
    let reason: String?
    let fact: Fact?
    /// It names the contrary of what is asked.
    var isContrary = false
  }

  /// From this closeness on a sentence names a thing, in whatever words.
  static let naming = 0.6

  package let unit: EvidenceUnit
  /// The weightiest group first.
  let parts: [Part]
  /// Per group of the question: how closely the sentence itself means it, 0 where it doesn't name it.
  let own: [Double]
  /// Per group: the same of the sentences before and after it.
  let beside: [Double]
  /// Per group: the same of the sentences up to two before or after it.
  let around: [Double]
  /// Per group: the same of its note.
  let note: [Double]
  /// Per group that the sentence doesn't name: how closely what it names is related to it.
  let related: [Double]
  /// Among the finder's units.
  package let place: Int

  init(
    unit: EvidenceUnit, parts: [Part], own: [Double], beside: [Double], around: [Double], note: [Double],
    related: [Double], place: Int
  ) {
    self.unit = unit
    self.parts = parts
    self.own = own
    self.beside = beside
    self.around = around
    self.note = note
    self.related = related
    self.place = place
  }

  /// The words of the weightiest group.
  var target: Range<Int>? { parts.first?.range }
}
