// The sheet in which players share a result: its text, and a picture of it.
import { fill, h, say } from "../parts/dom.ts";
import { copy } from "../parts/share.ts";
import { grab } from "./grab.ts";
import type { Poster } from "./poster.ts";
import { toast } from "./toast.ts";
import { words } from "./words.ts";

/** pass hands a link on: by the device's own sheet, else by the clipboard. It returns what to say; "" if nothing. */
export async function pass(link: string, text: string, copied: string): Promise<string> {
  if (isTouch() && navigator.canShare?.({ url: link, text })) {
    try {
      await navigator.share({ url: link, text });
      return "";
    } catch (error) {
      if ((error as Error).name === "AbortError") return "";
    }
  }
  return (await copy(link)) ? copied : link;
}

// On a computer the clipboard is what people expect.
const isTouch = () => matchMedia("(pointer: coarse)").matches;

export class ShareSheet {
  private readonly said = h("p", { role: "status", "data-testid": "shared" });
  private readonly text = h("textarea", { readonly: true, rows: 6, "aria-label": words.shareText, "data-testid": "share-text" });
  private readonly picture = h("div");
  private readonly acts = h("div", { class: "rowish" });
  readonly element = h(
    "dialog",
    { class: "sheet", "data-testid": "share-sheet", "aria-label": words.shareResult, onclick: (event: MouseEvent) => event.target === this.element && this.element.close() },
    grab(),
    h("h2", {}, words.shareResult),
    h("button", { type: "button", class: "close", "data-testid": "share-close", "aria-label": words.close, onclick: () => this.element.close() }, "✕"),
    this.picture, this.text, this.said, this.acts,
  );

  /** open shows the sheet, with the text on the clipboard already. */
  async open(text: string, poster: Poster): Promise<void> {
    this.text.value = text;
    say(this.said, "");
    fill(this.picture);
    fill(this.acts);
    if (!this.element.open) this.element.showModal();
    say(this.said, (await copy(text)) ? words.copied : words.notCopied);
    const { draw } = await import("./poster.js");
    const canvas = draw(poster, this.element);
    fill(this.picture, canvas);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    const file = blob && new File([blob], "result.png", { type: "image/png" });
    const data = file && { files: [file], text };
    fill(
      this.acts,
      !!data && isTouch() && !!navigator.canShare?.(data) && h("button", { type: "button", class: "primary", "data-testid": "share-via", onclick: () => void navigator.share(data).catch(() => {}) }, words.shareVia),
      h("button", { type: "button", "data-testid": "share-copy", onclick: async () => toast((await copy(text)) ? words.copied : words.notCopied) }, words.copyText),
      !!file && h("button", { type: "button", "data-testid": "share-save", onclick: () => save(file) }, words.saveImage),
    );
  }
}

/** save has the browser save a file. */
export function save(file: File): void {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
