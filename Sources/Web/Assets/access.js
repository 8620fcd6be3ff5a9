// What a role may not do is not offered: it says why instead. The server refuses it in any case.

const lacks = new Set((document.querySelector("meta[name=lacks]")?.content ?? "").split(",").filter(Boolean));
const role = document.querySelector("meta[name=role]")?.content ?? "";

/** What acts need; a control can say so itself with `data-needs`. */
const needs = [
  ["[data-open=booking], [data-testid=appointment_save_button], [data-revert], [data-testid=move_save_button]", "write book"],
  ["[data-open=emergency], [data-emergency], [data-testid=emergency_save_button]", "write book"],
  ["[data-testid=triage_submit_button]", "assess"],
  ["[data-testid=triage_urgency_picker]", "settle"],
];

export function limit(within = document) {
  if (!lacks.size) return;
  const all = [...within.querySelectorAll("[data-needs]")].map((control) => [control, control.dataset.needs]);
  for (const [selector, permission] of needs) {
    for (const control of within.querySelectorAll(selector)) all.push([control, permission]);
  }
  for (const [control, permission] of all) {
    if (!lacks.has(permission) || control.dataset.forbidden) continue;
    control.dataset.forbidden = permission;
    control.disabled = true;
    control.title = `The role ${role} may not do this: it needs the permission to ${permission}.`;
    control.setAttribute("aria-description", control.title);
  }
}

limit();
// Pieces of pages come later.
if (lacks.size) new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1) limit(node.parentElement ?? node);
}).observe(document.body, { childList: true, subtree: true });
