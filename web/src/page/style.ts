// The style of the page around the parts.
import { colours } from "../parts/styles.ts";

export const style = `
:root { color-scheme: light dark; ${colours} }
body { margin: 0; background: var(--_bg); color: var(--_fg); font: var(--lb-font, 1rem/1.5 system-ui, sans-serif); }
main { max-inline-size: 46rem; margin-inline: auto; padding: 1rem; box-sizing: border-box; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; text-transform: capitalize; }
h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
input, select { font: inherit; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); min-block-size: 2.25rem; padding: 0 .75rem; max-inline-size: 100%; box-sizing: border-box; }
button { max-inline-size: 100%; }
header, .bar, .play, .row, .lists form, .lists li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
header { justify-content: space-between; min-block-size: 2.75rem; margin-block-end: .5rem; }
.account, .account form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; min-inline-size: 0; }
.account input { inline-size: 9rem; }
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-inline-size: 14rem; line-height: 2; contain: paint; }
.bar { min-block-size: 2.5rem; margin-block: .5rem; }
.bar select { flex: 0 1 auto; min-inline-size: 8rem; }
.bar:not(:has(> :not([hidden], .none))) { display: none; }
[role=tablist] { display: flex; flex-wrap: wrap; gap: .25rem; min-block-size: 2.5rem; border-block-end: 1px solid var(--_line); padding-block-end: .25rem; }
[role=tab] { border-color: transparent; padding: 0 .6rem; }
[role=tab][aria-selected=true] { border-color: var(--_accent); box-shadow: inset 0 -3px var(--_accent); font-weight: 600; }
.picker { display: flex; align-items: center; gap: .5rem; min-block-size: 2.5rem; flex-wrap: wrap; }
.picker.none { display: none; }
.picker span { min-inline-size: 9rem; text-align: center; }
.picker input { inline-size: 9.5rem; }
.lists { border: 1px solid var(--_line); border-radius: var(--_radius); padding: .5rem .75rem; margin-block: .75rem; }
.lists summary { cursor: pointer; min-block-size: 2rem; line-height: 2rem; }
.lists ul { list-style: none; margin: 0; padding: 0; }
.lists li { min-block-size: 2.75rem; }
.lists li .name { flex: 1 1 8rem; }
.row { margin-block: .5rem; }
.play input { inline-size: 9rem; }
.said { min-block-size: 1.5rem; overflow-wrap: anywhere; color: var(--_muted); }
.banner { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem .75rem; border: 1px solid var(--_accent); border-radius: var(--_radius); margin-block: .5rem; }
.badges { inline-size: 100%; }
.badges ul { list-style: none; margin: 0; padding: 0; }
.badges li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; padding-block: .25rem; border-block-start: 1px solid var(--_line); }
.badges small, .league small { color: var(--_muted); }
.league h2 { font-size: 1.25rem; margin-block-start: .5rem; }
.ladder { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem; margin: .5rem 0; padding: 0; }
.ladder li { border: 1px solid var(--_line); border-radius: 99px; padding: 0 .6rem; color: var(--_muted); }
.ladder li[aria-current] { border: 2px solid var(--_accent); color: var(--_fg); font-weight: 600; background: var(--_own); }
.league .score { white-space: normal; }
.zone th { block-size: 2rem; color: var(--_muted); font-size: .875rem; border-block-start: 3px solid var(--_line); }
[data-zone=promotion] .zone th { border-block-start-color: var(--_up); }
[data-zone=relegation] .zone th { border-block-start-color: var(--_down); }
textarea { inline-size: 100%; box-sizing: border-box; font: inherit; color: var(--_fg); background: var(--_bg); }
`;
