/// How a report looks: light or dark as the reader's system has it, in blocks on a phone, in black on white on paper.
enum HTMLStyle {
  /// The page's style sheet. Widths below 40em are phones; 328 units of a plot fill one of 360.
  static let text = """
    :root { color-scheme: light dark; --page: #fff; --ink: #222; --soft: #5c5c5c; --rule: #ddd; \
    --c0: #1f6f8b; --c1: #c8553d; --c2: #4b7f4a; --c3: #7d5ba6; --c4: #8a6d3b }
    @media (prefers-color-scheme: dark) { :root { --page: #15191c; --ink: #e6e6e6; --soft: #a5a5a5; --rule: #3a4045; \
    --c0: #5fb3d0; --c1: #ef8d76; --c2: #8cc28a; --c3: #b99be0; --c4: #cbad74 } }
    body { font: 15px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: var(--ink); \
    background: var(--page) }
    h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin-top: 1.6em } h3 { font-size: 1rem }
    table { border-collapse: collapse; margin: .6em 0 1.4em } th, td { padding: .3em .9em; text-align: right; \
    vertical-align: top; border-bottom: 1px solid var(--rule); font-variant-numeric: tabular-nums }
    th:first-child { text-align: left; padding-left: 0 } thead th { color: var(--soft); font-weight: 600 }
    tbody th { font-weight: 600 } small { color: var(--soft); font-size: .85em; white-space: nowrap }
    .plots { display: grid; gap: 0 2em; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22em), 1fr)) }
    svg { display: block; width: 100%; max-width: 26rem; height: auto; font: 11px system-ui, sans-serif; overflow: visible }
    svg text { fill: currentColor } .grid, .whisker, .diagonal { stroke: currentColor } .grid { opacity: .18 }
    .diagonal { opacity: .55 } .curve { fill: none; stroke-width: 2 } .inverse { fill: #fff } \(curves)
    blockquote { margin: .2em 0; padding-left: .8em; border-left: 3px solid var(--rule) }
    blockquote, pre { white-space: pre-wrap; overflow-wrap: anywhere } pre { margin: .2em 0 .8em; color: var(--soft); \
    font-size: .85em } footer { color: var(--soft); margin-top: 2em; overflow-wrap: anywhere }
    @media screen and (max-width: 40em) {
    body { margin: 1em auto } thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    table, tbody, tr, th, td { display: block; text-align: left } tr { border-bottom: 1px solid var(--rule); padding: .4em 0 }
    th, td { border: 0; padding: .1em 0 } td { display: flex; justify-content: space-between; gap: 1em; text-align: right }
    td::before { content: attr(data-of); color: var(--soft); text-align: left } td.none { display: none }
    pre { font-size: .8em } }
    @media print {
    :root { color-scheme: light; --page: #fff; --ink: #000; --soft: #444; --rule: #bbb; --c0: #1f6f8b; --c1: #c8553d; \
    --c2: #4b7f4a; --c3: #7d5ba6; --c4: #8a6d3b }
    body { font-size: 9.5pt; max-width: none; margin: 0; padding: 0 } h2 { font-size: 12pt } h3 { font-size: 10pt } th, td { padding: .2em .6em }
    .plots { grid-template-columns: 1fr 1fr } svg { max-width: 22rem } svg, rect { print-color-adjust: exact }
    .plots section, tr, blockquote { break-inside: avoid } h2, h3 { break-after: avoid } }
    """

  /// The colour and the dashes of each curve, so that a page printed in black tells them apart.
  private static var curves: String {
    zip(0..., ["none", "7 3", "2 3", "9 3 2 3", "4 2"]).map { index, dashes in
      ".c\(index) { --c: var(--c\(index)); stroke-dasharray: \(dashes) }"
    }
    .joined(separator: " ") + " .curve { stroke: var(--c) } .dot, .bar { fill: var(--c); stroke-dasharray: none }"
  }
}
