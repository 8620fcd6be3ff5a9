/// A fixed block of values, read and written without bounds checks.
///
/// The search reads these a hundred million times a second with indices it made itself; the tests run the same code on
/// random instances against ``PlanValidator``. The block lives as long as the last reference to it.
final class Table<Element> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(_ elements: some Collection<Element>) {
    count = elements.count
    base = .allocate(capacity: max(1, elements.count))
    var index = 0
    for element in elements {
      (base + index).initialize(to: element)
      index += 1
    }
  }

  convenience init(repeating element: Element, count: Int) {
    self.init(repeatElement(element, count: count))
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count, "index \(index) of \(count)")
      return base[index]
    }
    set {
      assert(index >= 0 && index < count, "index \(index) of \(count)")
      base[index] = newValue
    }
  }

  func assign(from other: Table) {
    precondition(count == other.count, "tables of \(count) and \(other.count) elements")
    base.update(from: other.base, count: count)
  }
}

extension Table where Element == Int {
  /// Lists one after the other: list `i` runs from `starts[i]` to `starts[i + 1]`.
  static func lists<Item>(_ lists: [[Item]]) -> (starts: Table<Int>, items: Table<Item>) {
    var starts = [0]
    for list in lists { starts.append(starts[starts.count - 1] + list.count) }
    return (Table(starts), Table<Item>(Array(lists.joined())))
  }
}
