// The style of the parts. It is a constructed stylesheet, since a content security policy may
// forbid inline styles. Directions are logical, for languages from right to left.

/** colours come from the embedding page (--lb-*), else from Framedle's themes (--variant-*), else from the system. */
export const colours = `
--_bg: var(--lb-background, var(--variant-bg, Canvas));
--_fg: var(--lb-text, var(--variant-fg, CanvasText));
--_muted: var(--lb-muted, var(--variant-fg-muted, color-mix(in srgb, CanvasText 72%, Canvas)));
--_accent: var(--lb-accent, var(--variant-accent, light-dark(#2b5fd9, #8ab0ff)));
--_line: var(--lb-border, var(--variant-border, color-mix(in srgb, CanvasText 18%, Canvas)));
--_up: var(--lb-up, var(--variant-correct, light-dark(#1a7f37, #4ac26b)));
--_down: var(--lb-down, var(--variant-incorrect, light-dark(#c93c37, #ff7b72)));
--_radius: var(--lb-radius, var(--variant-radius, 8px));
--_own: color-mix(in srgb, var(--_accent) 14%, var(--_bg));
--_row: 44px;
`;

export const parts = `
[hidden] { display: none !important; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
h2, p, dl, dd { margin: 0; }
button { font: inherit; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); min-block-size: 2.25rem; padding: 0 .75rem; cursor: pointer; }
button:hover:enabled { border-color: var(--_accent); }
button:disabled { color: var(--_muted); }
:focus-visible { outline: 2px solid var(--_fg); outline-offset: 2px; }
.panel { position: relative; color: var(--_fg); }
.summary { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; min-block-size: 2.5rem; color: var(--_muted); }
.summary strong { color: var(--_fg); font-size: 1.125rem; }
.summary time { margin-inline-start: auto; font-variant-numeric: tabular-nums; font-size: .875rem; }
.message { padding: .5rem .75rem; margin-block: .5rem; border: 1px solid var(--_line); border-inline-start: 4px solid var(--_accent); border-radius: var(--_radius); }
table { inline-size: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
th, td { padding: 0 .5rem; block-size: var(--_row); box-sizing: border-box; border-block-end: 1px solid var(--_line); text-align: start; font-weight: inherit; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
thead th { color: var(--_muted); font-size: .875rem; }
.rank { inline-size: 5.5rem; font-variant-numeric: tabular-nums; }
.score { inline-size: 7rem; text-align: end; font-variant-numeric: tabular-nums; line-height: 1.2; }
.score small { display: block; }
thead .score { white-space: normal; }
.change { margin-inline-start: .4rem; font-size: .8125rem; color: var(--_fg); }
.change > :first-child { text-decoration: underline 2px var(--_up); text-underline-offset: 3px; }
.change[data-way=down] > :first-child { text-decoration-color: var(--_down); }
.change[data-way=same] > :first-child { text-decoration: none; }
.player > div { display: flex; align-items: center; gap: .5rem; min-inline-size: 0; block-size: 100%; contain: paint; }
.player button { all: unset; cursor: pointer; overflow: hidden; text-overflow: ellipsis; line-height: 2; min-inline-size: 1.5rem; }
.player button:hover { text-decoration: underline; }
.player button:focus-visible { outline: 2px solid; outline-offset: -2px; }
.picture { flex: none; display: inline-grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; overflow: hidden; background: var(--_own); color: var(--_fg); font-size: .875rem; line-height: 1; text-transform: uppercase; }
.picture img { inline-size: 100%; block-size: 100%; object-fit: cover; }
.picture.big { inline-size: 48px; block-size: 48px; font-size: 1.25rem; vertical-align: middle; margin-inline-end: .5rem; }
.flag { flex: none; }
.you { flex: none; font-size: .75rem; border: 1px solid currentColor; border-radius: 99px; padding: 0 .4rem; line-height: 1.5; }
[aria-current] > *, tfoot tr > * { background: var(--_own); font-weight: 600; }
[aria-current] > :first-child, tfoot tr > :first-child { border-inline-start: 4px solid var(--_accent); padding-inline-start: .25rem; }
[aria-current] .picture, tfoot .picture { background: var(--_bg); }
.change:empty { display: none; }
tfoot tr > * { position: sticky; inset-block-end: 0; border-block-start: 1px solid var(--_line); }
tfoot.idle { visibility: hidden; }
.skeleton i { display: block; block-size: .9rem; border-radius: 4px; background: var(--_line); opacity: .6; inline-size: 70%; }
@media (prefers-reduced-motion: no-preference) { .skeleton i { animation: wait 1.2s ease-in-out infinite alternate; } }
@keyframes wait { to { opacity: .25; } }
.more { display: block; margin-block: .75rem; margin-inline: auto; min-inline-size: 12rem; }
dialog { color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); inline-size: 22rem; max-inline-size: calc(100vw - 2rem); box-sizing: border-box; padding: 1.25rem; overflow-wrap: anywhere; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog h2 { font-size: 1.25rem; margin-block-end: .75rem; overflow: hidden; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { color: var(--_muted); }
dd { text-align: end; overflow-wrap: anywhere; min-inline-size: 0; }
.details { margin-block-start: .75rem; }
.grid { white-space: pre-line; font-size: 1.25rem; line-height: 1.2; text-align: center; margin-block-end: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .75rem; }
.end { text-align: end; margin-block-start: .75rem; }
@media (max-width: 480px) { .rank { inline-size: 4.25rem; } .score { inline-size: 5.25rem; } th, td { padding: 0 .3rem; } }
`;

/** sheet makes a constructed stylesheet. */
export function sheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}
