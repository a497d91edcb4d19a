// The operator confirms an act that cannot be undone by typing a word.
import { h } from "../parts/dom.ts";

/** confirmed asks for a word in a dialog, and reports whether the operator has typed it. */
export function confirmed(title: string, what: string, word: string): Promise<boolean> {
  const input = h("input", { id: "confirm-word", autocomplete: "off", spellcheck: "false", "data-testid": "confirm-word" });
  const go = h("button", { type: "submit", class: "danger", disabled: true, "data-testid": "confirm" }, title);
  const cancel = h("button", { type: "button", "data-testid": "cancel" }, "Cancel");
  const form = h("form", {}, h("h2", { id: "confirm-title" }, title), h("p", {}, what),
    h("label", { for: "confirm-word" }, "Type ", h("strong", {}, word), " to confirm"), input, h("p", { class: "buttons" }, go, cancel));
  const dialog = h("dialog", { "aria-labelledby": "confirm-title" }, form);
  input.addEventListener("input", () => (go.disabled = input.value !== word));
  document.body.append(dialog);
  return new Promise((answer) => {
    let typed = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault(); // the policy's form-action forbids method=dialog too
      typed = input.value === word;
      if (typed) dialog.close();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(typed);
    });
    dialog.showModal();
    input.focus();
  });
}
