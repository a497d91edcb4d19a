// The style of dialogs: a sheet at the bottom of a phone's window.

export const dialogs = `
.tiles dd { unicode-bidi: plaintext; }
.heading { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.heading h2 { font-size: 1.125rem; }
dialog { color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: max(var(--_radius), 16px); inline-size: 27.5rem; max-inline-size: calc(100vw - 2rem); max-block-size: 85vh; box-sizing: border-box; padding: 1.25rem; overflow-wrap: anywhere; }
dialog::backdrop { background: rgb(0 0 0 / .55); }
.head { display: flex; gap: .875rem; align-items: center; margin-block-end: 1rem; padding-inline-end: 3rem; }
.head h2 { font-size: 1.25rem; line-height: 1.25; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.head p { color: var(--_muted); }
.close { position: absolute; inset-block-start: .75rem; inset-inline-end: .75rem; inline-size: 2.75rem; padding: 0; border: 0; border-radius: 50%; background: var(--_raised); }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .75rem; }
.tiles div { flex: 1 1 6rem; box-sizing: border-box; background: var(--_raised); border-radius: var(--_radius); padding: .6rem .4rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; text-align: center; }
.tiles dd { font-size: 1.125rem; font-weight: 700; text-align: center; font-variant-numeric: tabular-nums; }
.tiles dt { font-size: .8125rem; }
dl, dd { margin: 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { color: var(--_muted); }
dd { text-align: end; overflow-wrap: anywhere; min-inline-size: 0; }
.details { margin-block-start: .75rem; }
.details dt::first-letter { text-transform: uppercase; }
.grid { white-space: pre-line; font-size: 1.25rem; line-height: 1.2; text-align: center; margin-block-end: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .75rem 0; }
@media (max-width: 599px) { .tiles dd { font-size: 1rem; } .tiles div { padding-inline: .25rem; } dialog { inline-size: 100%; max-inline-size: none; margin-block-end: 0; border-end-start-radius: 0; border-end-end-radius: 0; } }
.picture.big { display: inline-grid; inline-size: 64px; block-size: 64px; font-size: 1.5rem; }
`;
