// Before anything is painted: the theme that was chosen here; without a choice, the system's.
try {
  const chosen = localStorage.getItem("vetnet-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme stands.
}
