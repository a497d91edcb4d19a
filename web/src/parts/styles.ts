// The style of the parts. It is a constructed stylesheet, since a content security policy may
// forbid inline styles. Directions are logical, for languages from right to left.

export const parts = `
[hidden] { display: none !important; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
h2, p { margin: 0; }
button { font: inherit; font-weight: 600; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_control); border-radius: var(--_radius); min-block-size: 2.75rem; padding: 0 1rem; cursor: pointer; }
button:hover:enabled { border-color: var(--_accent); }
button:disabled { color: var(--_muted); cursor: default; }
:focus-visible { outline: 2px solid var(--_fg); outline-offset: 2px; }
.panel { position: relative; color: var(--_fg); font-variant-numeric: tabular-nums; container-type: inline-size; }
.summary { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; min-block-size: 2.5rem; color: var(--_muted); }
.summary > * { unicode-bidi: plaintext; }
.summary strong { color: var(--_fg); font-size: 1.125rem; }
.summary time { margin-inline-start: auto; font-size: .875rem; }
.message { padding: .5rem .75rem; margin-block: .5rem; border: 1px solid var(--_line); border-inline-start: 4px solid light-dark(#8a5a00, #f2c14e); border-radius: var(--_radius); }
.message button { display: block; margin-block: .5rem 0; }
table { inline-size: 100%; border-spacing: 0; table-layout: fixed; }
th, td { padding: 0 .5rem; block-size: var(--_row); box-sizing: border-box; text-align: start; font-weight: inherit; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
thead th { color: var(--_muted); font-size: .8125rem; block-size: 2rem; }
.rank { inline-size: 5.25rem; overflow: visible; color: var(--_muted); font-weight: 600; }
.score { inline-size: 6.5rem; text-align: end; line-height: 1.2; }
td.score { font-weight: 700; }
.score small { display: block; font-weight: 400; }
thead .score { white-space: normal; }
.change { margin-inline-start: .35rem; font-size: .75rem; font-weight: 600; color: var(--_up); }
.change[data-way=down] { color: var(--_down); }
.change[data-way=same] { color: var(--_muted); }
.change:empty { display: none; }
.medal { display: inline-grid; place-items: center; inline-size: 2em; block-size: 2em; border-radius: 50%; font-weight: 700; font-size: .8125rem; color: #3b2900; background: var(--_gold); forced-color-adjust: none; }
.m2 { color: #232936; background: var(--_silver); }
.m3 { color: #331a04; background: var(--_bronze); }
tbody tr:not(.skeleton), tfoot tr:not(.gap) { cursor: pointer; }
tbody tr:hover > * { background: var(--_raised); }
.player > div { display: flex; align-items: center; gap: .5rem; min-inline-size: 0; block-size: 100%; contain: paint; }
.player button { all: unset; cursor: pointer; min-inline-size: 1.5rem; font-weight: 600; }
.player bdi { display: block; overflow: hidden; text-overflow: ellipsis; line-height: 2; }
.player button:focus-visible { outline: 2px solid; outline-offset: -2px; border-radius: 4px; }
.picture { display: inline-grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; overflow: hidden; background: light-dark(oklch(.89 .07 var(--_h)), oklch(.4 .09 var(--_h))); color: light-dark(oklch(.36 .11 var(--_h)), oklch(.93 .05 var(--_h))); font-size: .875rem; font-weight: 700; line-height: 1; text-transform: uppercase; }
.picture img { inline-size: 100%; block-size: 100%; object-fit: cover; }
.picture, .flag, .you { flex: none; }
.you { font-size: .6875rem; font-weight: 700; border-radius: 99px; padding: 0 .5rem; line-height: 1.6; color: var(--_ink); background: var(--_accent); }
.own { background: var(--_own); }
.own > *, tbody .own:hover > * { background: inherit; --_muted: var(--_fg); box-shadow: inset 0 2px var(--_accent), inset 0 -2px var(--_accent); }
.own > :first-child { border-inline-start: 2px solid var(--_accent); border-start-start-radius: var(--_radius); border-end-start-radius: var(--_radius); }
.own > :last-child { border-inline-end: 2px solid var(--_accent); border-start-end-radius: var(--_radius); border-end-end-radius: var(--_radius); }
tfoot .own > * { position: sticky; inset-block-end: 0; z-index: 1; }
tfoot .idle { visibility: hidden; }
.gap td { text-align: center; color: var(--_muted); }
.gap button { min-block-size: 2.25rem; border-color: transparent; background: none; color: var(--_link); }
.skeleton i { display: block; block-size: .9rem; border-radius: 4px; background: color-mix(in srgb, var(--_fg) 16%, var(--_bg)); inline-size: 70%; }
.more { display: block; margin: .75rem auto; min-inline-size: min(12rem, 100%); }
:has(> table .idle) + .more { translate: 0 calc(0px - var(--_row)); }
.panel:has(tbody:empty) { .summary { min-block-size: 0; } thead { display: none; } }
@container (max-width: 30rem) { .rank { inline-size: 3.25rem; } td.rank { font-size: .75rem; } .score { inline-size: 4.75rem; } th, td { padding: 0 .3rem; } .rank .change { display: block; margin: 0; line-height: 1; } }
@container (max-width: 20rem) { .player > div { gap: .25rem; } .you { padding: 0 .25rem; } .flag { display: none; } thead th { block-size: 0; font-size: 0; } .rank { inline-size: 3rem; } }
@container (max-width: 16rem) { .picture { display: none; } .rank { inline-size: 40px; } .score { inline-size: 4rem; } .player > div { flex-wrap: wrap; } }
@media (forced-colors: active) { tr[aria-current] > * { background: Highlight; color: HighlightText; forced-color-adjust: none; --_fg: HighlightText; --_muted: HighlightText; } .you { border: 1px solid; } }
`;

export { sheet } from "./sheet.ts";
