// The style of the typing game around the parts of the boards.
export const style = `
.typing { padding-inline: .75rem; }
.typing .places { position: static; border: 0; padding: 0; background: none; }
.typing .places a { flex: none; flex-direction: row; block-size: auto; padding-inline: .875rem; font-size: inherit; }
.typing .try { margin-block-end: .75rem; }
.desk { margin-block: .75rem; }
.stage { position: relative; border-radius: var(--_radius); padding: .25rem .75rem .75rem; }
.stage:focus-within { outline: 2px solid var(--_accent); }
.meters { color: var(--_muted); font-variant-numeric: tabular-nums; font-weight: 600; }
.course { margin: .75rem 0 0; color: var(--_accent); }
.course path { fill: none; stroke: currentColor; stroke-width: 2.5; vector-effect: non-scaling-stroke; }
.clock { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; min-block-size: 2.75rem; }
.clock output { font-size: 1.5rem; font-variant-numeric: tabular-nums; min-inline-size: 3ch; }
.text { font: 1.25rem/1.8 ui-monospace, monospace; margin-block: .5rem; overflow-wrap: anywhere; color: var(--_muted); max-block-size: 5lh; overflow: hidden; position: relative; }
.text .right { color: var(--_fg); }
.text .wrong { color: var(--_fg); background: color-mix(in srgb, var(--_down) 35%, var(--_bg)); text-decoration: underline; }
.text .next { box-shadow: inset 2px 0 var(--_accent); }
@media (prefers-reduced-motion: no-preference) { .stage:focus-within .next { animation: caret 1s steps(2) infinite; } }
@keyframes caret { 50% { box-shadow: none; } }
.lb .stage textarea { position: absolute; inset: 0; block-size: 100%; opacity: 0; resize: none; cursor: text; font: 1.25rem/1.8 ui-monospace, monospace; }
.outcome { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-block: .5rem; }
.outcome strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.desk > .rowish + div { margin-block-start: .5rem; }
.race:has(> .rowish[hidden]):not([hidden]) ~ .desk { display: none; }
.racers { list-style: none; margin: .5rem 0; padding: 0; }
.racers li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem .75rem; align-items: center; min-block-size: 2.25rem; padding-block: .25rem; }
.racers progress { inline-size: 100%; accent-color: var(--_accent); grid-area: 2 / 1 / 3 / 3; }
.racers .name { display: flex; gap: .5rem; align-items: center; min-inline-size: 0; }
.racers bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.clock:has(+ .stage[hidden]) { display: none; }
.racers span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
@media (max-width: 759px) { .typing .places svg { display: none; } .typing .top { padding-inline: 0; } .typing .banner { margin-inline: 0; } .typing .panel tfoot tr.own { inset-block-end: .5rem; } }
@media (max-width: 30rem) {
.typing .top { flex-wrap: nowrap; }
.typing .places { flex: none; margin-inline-start: auto; }
.typing .account { margin-inline-start: 0; }
.typing .places a { padding: 0; inline-size: 2.75rem; }
.typing .places svg { display: block; }
.typing .places span { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (max-width: 24rem) { .typing [role=tab] { font-size: .8125rem; } }
@media (max-width: 39.9rem) { .desk > .rowish > button:not(.primary) { flex: 1 1 auto; } }
@media (min-width: 60rem) { .sides { display: grid; grid-template-columns: 3fr 2fr; gap: 1.5rem; align-items: start; margin-block-start: .75rem; } .sides .desk { margin-block-start: 0; } }
`;
