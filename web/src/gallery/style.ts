// The style of the gallery around the elements.
export const style = `
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; background: light-dark(#f5f6fa, #0e1016); color: light-dark(#14161f, #f1f3f9); }
h1 { font-size: 1.375rem; margin: 0; }
h2 { font-size: 1rem; margin: 0; }
p { margin: 0; }
small, .note { color: light-dark(#565c6e, #a3aabd); font-size: .875rem; }
main { display: grid; gap: 1.5rem; padding: 1rem; max-inline-size: 90rem; margin-inline: auto; }
.editor { display: grid; gap: .75rem; align-content: start; background: light-dark(#fff, #171a23); border: 1px solid light-dark(#e1e4ee, #2a2f3d); border-radius: 20px; padding: 1rem; }
.editor label { display: grid; grid-template-columns: 1fr 9rem; gap: .5rem; align-items: center; }
.editor :is(input, select, textarea, button) { font: inherit; color: inherit; background: light-dark(#fff, #171a23); min-block-size: 2.5rem; inline-size: 100%; border: 1px solid light-dark(#81889b, #6f778c); border-radius: 8px; padding-inline: .5rem; }
.editor input[type=color] { padding: .25rem; }
.editor button { font-weight: 600; cursor: pointer; }
.editor textarea { min-block-size: 11rem; padding: .5rem; font-family: ui-monospace, monospace; font-size: .8125rem; resize: vertical; }
.stage { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem; align-items: start; }
.state { display: grid; gap: .5rem; min-inline-size: 0; }
.frame { border-radius: 12px; padding: .75rem; min-inline-size: 0; background: var(--lb-background, light-dark(#fff, #171a23)); color-scheme: inherit; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media (max-width: 59.99rem) { .editor { grid-template-columns: repeat(auto-fit, minmax(min(8.5rem, 100%), 1fr)); } .editor label { grid-template-columns: 1fr; gap: .125rem; font-size: .875rem; } .editor > :not(label) { grid-column: 1 / -1; } }
@media (min-width: 60rem) { main { grid-template-columns: 20rem 1fr; } .editor { position: sticky; inset-block-start: 1rem; max-block-size: calc(100vh - 2rem); overflow-y: auto; } }
`;
