// Long work: beginning it, how far it is, cancelling it.

import { $, ask, refresh, showProblem, toast } from "./app.js";

const form = document.getElementById("import");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = $(".problem", form);
  problem.hidden = true;
  const file = form.querySelector("[type=file]").files[0];
  if (!file) return showProblem(problem, { message: "No file was chosen." });
  const button = $("[type=submit]", form);
  button.disabled = true;
  try {
    const kind = $("#import-kind").value;
    const query = new URLSearchParams({ name: file.name });
    if (kind) query.set("kind", kind);
    await ask("POST", "/api/v1/imports?" + query, file);
    form.reset();
    toast("The import has begun.", "good");
  } catch (error) {
    showProblem(problem, error);
  } finally {
    button.disabled = false;
    refresh();
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-begin], [data-cancel]");
  if (!button) return;
  const problem = document.getElementById("job-problem");
  problem.hidden = true;
  button.disabled = true;
  try {
    if (button.dataset.cancel) {
      await ask("DELETE", "/api/v1/jobs/" + button.dataset.cancel);
    } else {
      const body = { kind: button.dataset.begin };
      if (button.dataset.dates) body.dates = button.dataset.dates.split(",");
      await ask("POST", "/api/v1/jobs", body);
    }
  } catch (error) {
    showProblem(problem, error);
  } finally {
    if (!button.dataset.forbidden) button.disabled = false;
    refresh();
  }
});

document.addEventListener("job", (event) => {
  const job = event.detail;
  const bar = $(`[data-job="${job.id}"] [data-progress]`);
  if (!job.running || !bar) return refresh();
  if (job.total > 0) {
    bar.max = job.total;
    bar.value = job.done;
  }
});
