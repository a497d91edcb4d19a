// The gallery: the elements in every state, of a made-up API, and an editor of their theme.
import type { RankElement } from "../../../sdk/js/src/elements.ts";
import { fill, h, say } from "../parts/dom.ts";
import { sheet } from "../parts/styles.ts";
import { you } from "./answers.ts";
import { states, type State } from "./states.ts";
import { style } from "./style.ts";

const made = "gallery:"; // the scheme of the made-up API's addresses

// The elements ask their API by fetch. Here some of them get their answers from this page.
const real = window.fetch;
window.fetch = async (request, options) => {
  if (typeof request !== "string" || !request.startsWith(made)) return real(request, options);
  const url = new URL(request);
  const state = states[Number(/^\/*(\d+)/.exec(url.pathname)![1])]!;
  return state.answer(url);
};

const token = ["", btoa(JSON.stringify({ sub: you })), ""].join(".");

type Theme = Record<string, string>;

const colours = { background: "Background", text: "Text", muted: "Muted text", accent: "Accent", border: "Lines", up: "Up", down: "Down", gold: "Gold", silver: "Silver", bronze: "Bronze" };

const presets: Record<string, Theme> = {
  Default: {},
  Midnight: { background: "#10142b", text: "#eef0ff", muted: "#a6acd0", accent: "#8f9bff", border: "#2a3160" },
  Paper: { background: "#faf3e0", text: "#2d2416", muted: "#6b5e4c", accent: "#a4502a", border: "#c4a97d", radius: "4px", font: "Georgia, serif" },
  Arcade: { background: "#160025", text: "#ffffff", muted: "#c9b3dd", accent: "#ff6b9d", border: "#5b2a86", up: "#00ff99", down: "#ff6666", radius: "0px", font: "ui-monospace, monospace" },
  Forest: { background: "#f3f8f2", text: "#12261a", muted: "#4d6355", accent: "#1c7a43", border: "#c9dccd", radius: "16px" },
};

class Gallery {
  private theme: Theme = {};
  private readonly css = h("textarea", { readonly: true, "aria-label": "CSS of the theme", "data-testid": "css", spellcheck: "false" });
  private readonly said = h("p", { role: "status", "data-testid": "said" });
  private readonly contrast = h("p", { class: "note", "data-testid": "contrast" });
  private readonly stage = h("section", { class: "stage", "aria-label": "States" });
  private readonly fields = new Map<string, HTMLInputElement>();

  start(into: HTMLElement): void {
    const choice = (label: string, options: Record<string, string>, chosen: (value: string) => void, testid: string) =>
      h("label", {}, label, h("select", { "data-testid": testid, onchange: (event: Event) => chosen((event.target as HTMLSelectElement).value) }, ...Object.entries(options).map(([value, title]) => h("option", { value }, title))));
    const field = (name: string, title: string, type: string, attributes = {}) => {
      const input = h("input", { type, "data-testid": "theme-" + name, oninput: () => this.set(name, input.value), ...attributes });
      this.fields.set(name, input);
      return h("label", {}, title, input);
    };
    fill(
      into,
      h("section", { class: "editor", "aria-label": "Theme" },
        h("h1", {}, "Gallery"),
        h("p", { class: "note" }, "<framedle-leaderboard> and <framedle-rank> in every state. No API is asked."),
        choice("Theme", Object.fromEntries(Object.keys(presets).map((name) => [name, name])), (name) => this.wear({ ...presets[name] }), "preset"),
        choice("Scheme", { "": "as the system", light: "light", dark: "dark" }, (scheme) => (document.documentElement.style.colorScheme = scheme), "scheme"),
        choice("Language", { en: "English", de: "Deutsch", es: "Español", fr: "Français", "pt-BR": "Português", ja: "日本語", ar: "العربية" }, (language) => this.speak(language), "language"),
        ...Object.entries(colours).map(([name, title]) => field(name, title, "color")),
        field("radius", "Radius", "text", { placeholder: "12px" }),
        field("font", "Font", "text", { placeholder: "inherited" }),
        this.contrast,
        this.css,
        h("button", { type: "button", "data-testid": "copy", onclick: () => void this.copy() }, "Copy CSS"),
        this.said),
      this.stage,
    );
    fill(this.stage, ...states.map((state, i) => this.state(state, i)));
    this.wear({});
  }

  private state({ title, note, tag = "framedle-leaderboard", attributes = {}, signedIn, width }: State, i: number): HTMLElement {
    const element = document.createElement(tag) as RankElement;
    for (const [name, value] of Object.entries({ api: `${made}/${i}`, mode: "daily", label: title, lang: "en", ...attributes })) element.setAttribute(name, value);
    if (tag === "framedle-rank") element.removeAttribute("label");
    if (signedIn) element.getToken = () => token;
    const frame = h("div", { class: "frame" }, element);
    if (width) frame.style.inlineSize = `${width}px`;
    return h("section", { class: "state", "data-state": title }, h("h2", {}, title), h("p", { class: "note" }, note), frame);
  }

  // speak sets the language of the elements, and the direction in which it is written.
  private speak(language: string): void {
    this.stage.dir = language === "ar" ? "rtl" : "ltr";
    for (const element of this.stage.querySelectorAll("framedle-leaderboard, framedle-rank")) element.setAttribute("lang", language);
  }

  private set(name: string, value: string): void {
    this.wear({ ...this.theme, [name]: value });
  }

  private wear(theme: Theme): void {
    this.theme = theme;
    for (const [name, field] of this.fields) {
      const value = theme[name] ?? "";
      this.stage.style.setProperty("--lb-" + name, value);
      if (field.type !== "color") {
        if (field.value !== value) field.value = value;
      } else field.value = value || this.colour(name);
    }
    const lines = Object.entries(theme).filter(([, value]) => value).map(([name, value]) => `  --lb-${name}: ${value};`);
    this.css.value = `framedle-leaderboard, framedle-rank {\n${lines.join("\n") || "  /* nothing is named: the defaults, in light and dark */"}\n}`;
    const ratio = contrastOf(this.fields.get("text")!.value, this.fields.get("background")!.value);
    say(this.contrast, `Text on background: ${ratio.toFixed(1)} to 1${ratio < 4.5 ? ", which is too little: 4.5 is readable" : ""}.`);
  }

  // colour is what an element shows where the theme names no colour.
  private colour(name: string): string {
    const defaults: Record<string, [string, string]> = {
      background: ["#ffffff", "#171a23"], text: ["#14161f", "#f1f3f9"], muted: ["#565c6e", "#a3aabd"], accent: ["#4353e8", "#9ba6ff"], border: ["#e1e4ee", "#2a2f3d"],
      up: ["#0e7a3d", "#4cd083"], down: ["#bf2f29", "#ff8a80"], gold: ["#f4c04a", "#f4c04a"], silver: ["#cbd2de", "#cbd2de"], bronze: ["#e0a06c", "#e0a06c"],
    };
    return defaults[name]![matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0];
  }

  private async copy(): Promise<void> {
    this.css.select();
    const copied = await navigator.clipboard.writeText(this.css.value).then(() => true, () => false);
    say(this.said, copied ? "Copied." : "Couldn’t copy automatically. Copy the selected text.");
  }
}

// contrastOf is the contrast of two colours, such as #14161f, by WCAG 2.
function contrastOf(a: string, b: string): number {
  const light = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, bright] = [light(a), light(b)].sort((one, other) => one - other) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

document.adoptedStyleSheets = [sheet(style)];
new Gallery().start(document.getElementById("main")!);
