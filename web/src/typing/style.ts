// The style of the typing game around the parts of the boards.
export const style = `
main { max-inline-size: 70rem; }
.desk { border: 1px solid var(--_line); border-radius: var(--_radius); padding: .75rem 1rem; margin-block: .75rem; }
.clock { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; min-block-size: 2.75rem; }
.clock output { font-size: 1.5rem; font-variant-numeric: tabular-nums; min-inline-size: 3ch; }
.text { font: 1.25rem/1.8 ui-monospace, monospace; margin-block: .5rem; overflow-wrap: anywhere; color: var(--_muted); max-block-size: 5lh; overflow: hidden; position: relative; }
.text .right { color: var(--_fg); }
.text .wrong { color: var(--_fg); background: color-mix(in srgb, var(--_down) 35%, var(--_bg)); text-decoration: underline; }
.text .next { outline: 2px solid var(--_accent); }
.desk textarea { font: 1.125rem/1.6 ui-monospace, monospace; border: 1px solid var(--_line); border-radius: var(--_radius); padding: .5rem; resize: vertical; }
.result { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-block: .5rem; }
.result strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.racers { list-style: none; margin: .5rem 0; padding: 0; }
.racers li { display: grid; grid-template-columns: minmax(6rem, 1fr) 3fr 6rem; gap: .75rem; align-items: center; min-block-size: 2.25rem; }
.racers progress { inline-size: 100%; accent-color: var(--_accent); }
.racers span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
@media (min-width: 60rem) { .sides { display: grid; grid-template-columns: 3fr 2fr; gap: 1.5rem; align-items: start; } }
`;
