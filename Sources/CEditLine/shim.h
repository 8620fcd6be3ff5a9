// libedit, not readline: its licence is BSD. `el_set` and `history` are variadic, which Swift can't call, and the three
// streams are global variables, which Swift 6 does not touch.

#ifndef VETNET_CEDITLINE_SHIM_H
#define VETNET_CEDITLINE_SHIM_H

#include <histedit.h>
#include <stdio.h>

// The prompt is whatever string the client data point at when the line is drawn.
static inline char *vetnet_prompt(EditLine *editor) {
  void *data = 0;
  el_get(editor, EL_CLIENTDATA, &data);
  return data ? (char *)data : "";
}

static inline EditLine *vetnet_editor_create(void) { return el_init("vetnet", stdin, stdout, stderr); }

// Ctrl-C marks the line and hands it over; the caller drops what is marked.
static inline unsigned char vetnet_cancel_line(EditLine *editor, int key) {
  (void)key;
  el_insertstr(editor, "\x03");
  el_set(editor, EL_REFRESH);
  return CC_NEWLINE;
}

static inline void vetnet_editor_configure(EditLine *editor, History *lines) {
  HistEvent event;
  history(lines, &event, H_SETSIZE, 500);
  history(lines, &event, H_SETUNIQUE, 1);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_SIGNAL, 1);
  // Ctrl-C is a key, not a signal that ends the session: while a line is edited, and in between too, where keys wait for the
  // next line as they were typed. The editor draws its prompt before it takes over the terminal; a Ctrl-C or Ctrl-D pressed at
  // that moment would be the terminal's own and lost.
  el_set(editor, EL_SETTY, "-d", "-isig", NULL);
  el_set(editor, EL_SETTY, "-x", "-isig", "-icanon", "-echo", NULL);
  el_set(editor, EL_ADDFN, "vetnet-cancel-line", "Drops the line", vetnet_cancel_line);
  el_set(editor, EL_BIND, "^C", "vetnet-cancel-line", NULL);
  el_set(editor, EL_PROMPT, vetnet_prompt);
  el_set(editor, EL_HIST, history, lines);
}

static inline void vetnet_editor_set_prompt(EditLine *editor, char *prompt) {
  el_set(editor, EL_CLIENTDATA, prompt);
}

static inline void vetnet_history_enter(History *lines, const char *line) {
  HistEvent event;
  history(lines, &event, H_ENTER, line);
}

#endif
