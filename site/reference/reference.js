// The API reference, in the colours that the reader has chosen on the other pages.
const chosen = localStorage.getItem("vitepress-theme-appearance") ?? "auto";
const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.style.colorScheme = dark ? "dark" : "light";

const font = "system-ui, sans-serif";
const [text, ground, side] = dark ? ["#dfdfd6", "#1b1b1f", "#161618"] : ["#3c3c43", "#ffffff", "#f6f6f7"];
document.body.style.cssText += `color: ${text}; background: ${ground}`;

Redoc.init("openapi.yaml", {
  hideDownloadButton: true,
  nativeScrollbars: true,
  pathInMiddlePanel: true,
  theme: {
    colors: { primary: { main: dark ? "#a8b1ff" : "#3451b2" }, text: { primary: text }, border: { dark: "#8884", light: "#8882" } },
    typography: { fontFamily: font, headings: { fontFamily: font }, code: { fontFamily: "ui-monospace, monospace", backgroundColor: "#8882", color: text } },
    sidebar: { backgroundColor: side, textColor: text },
    rightPanel: { backgroundColor: dark ? "#202127" : "#32363f" },
    schema: { nestedBackground: side, typeNameColor: dark ? "#b0b0b5" : "#5c5c63" },
  },
}, document.getElementById("reference"));
