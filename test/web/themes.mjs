// Framedle's five public themes, as the variables that its pages set.
const theme = (name, bg, bgSecondary, fg, muted, accent, correct, incorrect, border, card, radius) => ({
  name,
  variables: {
    "--variant-bg": bg, "--variant-bg-secondary": bgSecondary, "--variant-fg": fg, "--variant-fg-muted": muted, "--variant-accent": accent,
    "--variant-correct": correct, "--variant-incorrect": incorrect, "--variant-border": border, "--variant-card": card, "--variant-radius": radius,
  },
});

export const themes = [
  theme("Neon Cinema", "#0a0a0a", "#141414", "#f0f0f0", "#888888", "#00f0ff", "#00ff88", "#ff3333", "#00f0ff33", "#111111", "4px"),
  theme("Paper Cut", "#faf3e0", "#f5ead0", "#2d2416", "#7a6d5c", "#c46d3e", "#5a8a4e", "#c44040", "#c4a97d", "#ffffff", "2px"),
  theme("Vapor Grid", "#1a0030", "#250048", "#ffffff", "#b8a0d0", "#ff6b9d", "#00ff99", "#ff4444", "#c44dff44", "#200040", "8px"),
  theme("Brutal Mono", "#ffffff", "#f5f5f5", "#000000", "#666666", "#0066ff", "#00aa00", "#ff0000", "#000000", "#ffffff", "0px"),
  theme("Soft Focus", "#1a1a2e", "#16213e", "#eaeaea", "#8a8a9a", "#f4a261", "#2a9d8f", "#e76f51", "rgba(255, 255, 255, 0.08)", "rgba(255, 255, 255, 0.05)", "16px"),
];

/** wear puts a theme on a page. */
export const wear = (page, { variables }) =>
  page.evaluate((variables) => {
    for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  }, variables);
