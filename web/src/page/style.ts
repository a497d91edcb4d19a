// The style of the page around the parts.
import { podium } from "../parts/podium.style.ts";

export const style = `
body { margin: 0; background: var(--_canvas); }
.lb { color-scheme: light dark; color: var(--_fg); background: var(--_canvas); font: var(--lb-font, .9375rem/1.45 system-ui, Roboto, sans-serif); max-inline-size: 70rem; margin-inline: auto; padding: .5rem 1rem 3rem; box-sizing: border-box; min-block-size: 100vh; }
.lb h1 { font-size: 1.125rem; margin: 0; max-inline-size: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-transform: capitalize; min-inline-size: 2rem; }
.lb h2 { font-size: .9375rem; margin: 0 0 .5rem; }
.lb h3 { font-size: .8125rem; margin: 1rem 0 .5rem; color: var(--_muted); }
.lb input, .lb select, .lb textarea { font: inherit; color: var(--_fg); background: var(--_bg); border: 1px solid var(--_control); border-radius: var(--_radius); min-block-size: 2.75rem; padding: 0 .75rem; max-inline-size: 100%; box-sizing: border-box; }
/* What is read from left to right stays so in a page from right to left. */
.stand > *, .picker span, .badges small, .lb .next, .hero > p, .place > strong, .row small, .past .small, .ends > span { unicode-bidi: plaintext; }
.lb .next { inline-size: fit-content; }
.lb input::placeholder { color: var(--_muted); opacity: 1; unicode-bidi: plaintext; }
.lb a { color: var(--_link); }
.lb select { font-weight: 600; border-radius: 99px; text-overflow: ellipsis; }
.lb textarea { inline-size: 100%; padding-block: .5rem; }
.lb .sheet > h2 { line-height: 2rem; padding-inline-end: 3rem; }
.sheet textarea { field-sizing: content; max-block-size: 13rem; }
.sheet [role=status] { margin-block: .5rem; }
.lb button { max-inline-size: 100%; }
.lb .primary { background: var(--_accent); border-color: var(--_accent); color: var(--_ink); }
.lb .primary:hover:enabled { border-color: var(--_fg); }
.lb .primary:disabled { background: var(--_raised); color: var(--_muted); border-color: var(--_line); }
.lb .ghost { border-color: transparent; background: none; color: var(--_link); padding-inline: .75rem; }
.lb .wide { inline-size: 100%; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; min-block-size: 3.25rem; position: relative; }
.logo:empty { background: color-mix(in srgb, var(--_fg) 9%, var(--_bg)); }
.logo { flex: none; inline-size: 36px; block-size: 36px; border-radius: 10px; display: grid; place-items: center; font-weight: 800; text-transform: uppercase; color: var(--_ink); background: var(--_accent); }
.top select { flex: 0 1 auto; min-inline-size: min(10rem, 50vw); }
.places { display: flex; flex-wrap: wrap; flex: 1 1 auto; justify-content: flex-end; gap: .25rem; min-inline-size: 0; }
.places a { display: flex; align-items: center; gap: .5rem; min-block-size: 2.75rem; padding-inline: .875rem; border-radius: 99px; color: var(--_muted); font-weight: 600; text-decoration: none; position: relative; }
.places a:hover { background: var(--_raised); }
.places a[aria-current] { background: var(--_own); color: var(--_link); box-shadow: none; }
.places svg { display: none; inline-size: 22px; block-size: 22px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.dot { min-inline-size: 1.125rem; block-size: 1.125rem; box-sizing: border-box; padding-inline: .25rem; border-radius: 99px; display: inline-grid; place-items: center; font-size: .6875rem; font-weight: 700; background: light-dark(#bf2f29, #ff8a80); color: light-dark(#fff, #2b0703); forced-color-adjust: none; }
.account { display: flex; align-items: center; gap: .5rem; flex: none; margin-inline-start: auto; }
.account .picture { inline-size: 36px; block-size: 36px; }
.account button.face { padding: 0; border: 0; min-inline-size: 2.75rem; background: none; display: grid; place-items: center; border-radius: 99px; }
.cols { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; margin-block-start: .5rem; align-items: start; }
.board { min-inline-size: 0; }
.box { background: var(--_bg); border: 1px solid var(--_line); border-radius: max(var(--_radius) * 1.5, 4px); box-shadow: 0 1px 2px light-dark(#14161f14, #0006), 0 8px 24px light-dark(#14161f0f, #0005); padding: 1.25rem; min-inline-size: 0; }
.board.box { padding: .75rem; }
.board > .box { border: 0; box-shadow: none; padding: .5rem; }
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; align-items: start; min-inline-size: 0; }
.tools { display: flex; flex-wrap: wrap; gap: .25rem; align-items: center; padding: .25rem; }
.lb [role=tablist] { display: inline-flex; box-sizing: border-box; max-inline-size: 100%; overflow-x: auto; background: var(--_raised); border-radius: 99px; padding: 4px; }
.lb [role=tab] { flex: 1 1 auto; min-block-size: 2.25rem; padding: 0 .7rem; border: 0; border-radius: 99px; background: none; color: var(--_muted); white-space: nowrap; }
.lb [role=tab][aria-selected=true] { background: var(--_bg); color: var(--_fg); box-shadow: 0 1px 2px #0003; }
.picker { display: flex; flex-wrap: wrap; align-items: center; gap: .125rem; position: relative; }
.picker.none { display: none; }
.lb .picker button { min-inline-size: 2.25rem; padding: 0; border: 0; background: none; border-radius: 99px; font-size: 1.125rem; }
.picker span, .picker .today { white-space: nowrap; }
.picker button:disabled { opacity: .4; }
.picker label { position: relative; display: grid; place-items: center; min-block-size: 2.75rem; padding-inline: .25rem; font-weight: 600; border-radius: 8px; }
.picker label:hover { background: var(--_raised); }
.picker label:focus-within { outline: 2px solid var(--_fg); }
.lb .picker input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; opacity: 0; padding: 0; border: 0; cursor: pointer; }
.lb .picker .today { font-size: .8125rem; color: var(--_link); padding-inline: .5rem; }
.lb .tools select { border-color: transparent; background: none; padding-inline: .5rem .25rem; max-inline-size: 11rem; }
.lb .tools select:hover { background: var(--_raised); }
.stand { display: flex; align-items: center; gap: .375rem; margin-inline-start: auto; padding-inline: .25rem; font-size: .75rem; white-space: nowrap; color: var(--_muted); font-variant-numeric: tabular-nums; min-block-size: 1.5rem; }
.live { display: inline-flex; gap: .375rem; align-items: center; color: var(--_up); font-weight: 600; }
.live:not([hidden])::after { content: "·"; }
.stand time:not(:empty, .unseen)::before { content: "· "; }
.live::before { content: ""; inline-size: 8px; block-size: 8px; border-radius: 50%; background: currentColor; forced-color-adjust: none; }
.banner { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 1rem; border: 2px solid var(--_accent); border-radius: var(--_radius); background: var(--_bg); margin-block: .5rem; }
.banner p { flex: 1 1 12rem; margin: 0; }
.rowish { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.invite { padding: .25rem; }
.invite form { flex: 1 1 14rem; }
.lb .invite input { flex: 1 1 6rem; min-inline-size: 0; }
.said { overflow-wrap: anywhere; color: var(--_muted); }
.said:empty { display: none; }
.try { border: 1px dashed var(--_control); border-radius: var(--_radius); padding: .75rem 1rem; min-inline-size: 0; }
.try h2 { color: var(--_muted); font-size: .8125rem; }
.try form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.try input { inline-size: 9rem; flex: 1 1 7rem; }
.try .scores { display: flex; flex-wrap: wrap; gap: .5rem; flex: 1 1 7rem; min-inline-size: 0; }
.try .row { display: flex; gap: .5rem; align-items: center; justify-content: space-between; }
.try .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; line-height: 2; contain: paint; }
.lb .ratings { margin-block-start: 1.25rem; }
.mine .label { color: var(--_muted); margin: 0; }
.mine .place { display: flex; align-items: baseline; gap: .5rem; margin: 0; min-block-size: 2.5rem; }
.mine .place strong { font-size: 2.25rem; line-height: 2.5rem; font-weight: 800; letter-spacing: -.5px; font-variant-numeric: tabular-nums; }
.mine.place { margin: 0 0 .5rem; }
.mine.place strong { font-size: 1.75rem; line-height: 1.3; font-weight: 800; }
.mine .place strong[data-testid=no-rank] { font-size: 1.125rem; letter-spacing: 0; font-weight: 700; }
.mine .place .change { font-size: .875rem; }
.mine .next { margin: 0 0 .75rem; color: var(--_muted); }
.mine .next strong { color: var(--_fg); display: block; }
.mine .rowish > button { flex: 1 1 auto; }
.meter { block-size: 8px; border-radius: 4px; background: var(--_raised); overflow: hidden; margin-block: 0 .75rem; forced-color-adjust: none; }
.meter > span { display: block; block-size: 100%; background: var(--_accent); border-radius: 4px; }
details.box > summary { cursor: pointer; font-weight: 700; min-block-size: 1.5rem; }
.points ul { display: grid; gap: .375rem; margin: 0 0 .75rem; padding: 0; list-style: none; }
.points li { display: flex; flex-wrap: wrap; gap: 0 .5rem; }
.points li span { flex: 1; min-inline-size: 8rem; overflow-wrap: anywhere; }
.points small, .points p { color: var(--_muted); font-size: .875rem; }
.points p { margin: .375rem 0 0; }
dialog details.box { box-shadow: none; margin-block: 1rem; padding: 1rem; }
details.box { scroll-margin-block-end: 5.5rem; } /* above what sticks to the bottom */
details.box[open] > summary { margin-block-end: .75rem; }
.plot { inline-size: 100%; block-size: auto; display: block; overflow: visible; }
.ends { display: flex; justify-content: space-between; color: var(--_muted); font-size: .75rem; }
.picture-empty { display: grid; justify-items: center; gap: .75rem; text-align: center; padding: 1.5rem 1rem; color: var(--_muted); }
.picture-empty svg { inline-size: 96px; block-size: 96px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.picture-empty p { margin: 0; max-inline-size: 26rem; text-wrap: balance; }
.lb .panel .message { margin: .5rem .25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.lb .panel > .message::before { content: "\\26a0\\fe0e" / ""; color: light-dark(#8a5a00, #f2c14e); font-size: 1.125rem; line-height: 1; }
.lb .message button { margin: 0; }
.lb .panel > .message > span { flex: 1 1 12rem; }
.lb .panel > [data-testid=note] { flex-wrap: nowrap; }
.lb .panel > div > .message, .lb .picture-empty .message { border: 0; margin: 0; padding: 0; justify-content: center; flex-direction: column; gap: .75rem; text-align: center; color: var(--_fg); font-weight: 600; font-size: 1.0625rem; }
.picture-empty .message button { font-size: .9375rem; }
.lb .picture-empty[role=alert] p { color: var(--_fg); font-weight: 600; font-size: 1.0625rem; }
.lb [data-testid=league-note] { border-inline-start-color: var(--_control); }
.lb [data-testid=list-requests] { margin-block-end: 1rem; }
.lb .panel table:has(tbody > :first-child:nth-last-child(-n + 5)) .idle { display: none; }
.cols[data-place=friends] .panel > div > .message { padding-block: 1.5rem .75rem; }
.board:has([data-testid=friends-lists] .picture-empty) .panel > div > .message { display: none; }
.lb .panel .message[data-kind=offline], .lb .panel .message[data-kind=limited] { border-inline-start-color: var(--_control); }
.lb .panel table, .lb .panel tbody { display: block; }
.lb .panel table { min-block-size: 1px; }
.lb .panel table:not(.valued) thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.lb .panel table.valued:has(tbody:not(:empty)) thead { display: block; }
.lb .panel tfoot { display: contents; }
.lb .panel tr { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr) auto; gap: .75rem; align-items: center; min-block-size: 3.5rem; padding-inline: .75rem; border-radius: var(--_radius); position: relative; }
.lb .panel thead tr { min-block-size: 2rem; }
.lb .panel th, .lb .panel td { display: block; padding: 0; block-size: auto; inline-size: auto; }
.lb .panel .rank { display: flex; flex-direction: column; align-items: flex-start; line-height: 1.2; overflow: visible; }
.lb .panel .rank .change { margin: 0; }
.lb .panel td.score { font-size: 1rem; }
.lb .panel .player > div { display: grid; grid-template-columns: auto minmax(0, auto) minmax(0, 1fr); column-gap: .75rem; align-items: center; block-size: 3.5rem; align-content: center; }
.lb .panel .picture { inline-size: 36px; block-size: 36px; grid-row: 1 / 3; }
.lb .panel .player button { grid-column: 2; min-inline-size: 1.5rem; }
.lb .panel .player bdi { line-height: 1.5; }
.lb .panel .flag { grid-column: 2; grid-row: 2; font-size: .8125rem; line-height: 1.2; }
.lb .panel .you { justify-self: start; grid-column: 3; }
.lb .panel .player > div:has(> .flag[hidden]) :is(button, .you) { grid-row: 1 / 3; }
.lb .panel .more { --_row: 3.5rem; }
.lb .panel tbody tr:not(.skeleton):hover { background: var(--_raised); }
.lb .panel tr > *, .lb .panel tbody tr:hover > * { background: none; box-shadow: none; border: 0; }
.lb .panel tr.own, .lb .panel tbody tr.own:hover { background: var(--_own); box-shadow: inset 0 0 0 2px var(--_accent); --_muted: var(--_fg); }
.lb .panel tfoot tr.own > * { position: static; }
.lb .panel tfoot tr.own { position: sticky; inset-block-end: .5rem; z-index: 1; box-shadow: inset 0 0 0 2px var(--_accent), 0 8px 24px light-dark(#14161f33, #000c); }
.lb .panel tr.gap { display: block; min-block-size: 0; text-align: center; }
${podium}
.lb .skeleton .score i { inline-size: 2.5rem; }
.lb .skeleton i { min-inline-size: 1.5rem; }
.lb .panel .skeleton td.player { display: flex; align-items: center; gap: .75rem; }
.lb .panel .skeleton .player::before { content: ""; flex: none; inline-size: 36px; block-size: 36px; border-radius: 50%; background: color-mix(in srgb, var(--_fg) 9%, var(--_bg)); }
.lb dialog { border: 0; background: var(--_bg); }
.lb dialog .grab { display: none; }
.lb dialog form.actions { margin-block-start: 2rem; }
.lb dialog div.actions { position: sticky; inset-block-end: -1.25rem; z-index: 1; background: var(--_bg); padding-block: .75rem 1.25rem; margin-block: 0 -1.25rem; }
.toasts { position: fixed; inset-inline: 1rem; inset-block-end: calc(1rem + env(safe-area-inset-bottom)); display: grid; justify-items: center; gap: .5rem; pointer-events: none; z-index: 5; }
.toasts > * { pointer-events: auto; }
.toasts .result { min-inline-size: min(18rem, 100%); }
.toasts > :not(.result) { display: flex; gap: .75rem; align-items: center; max-inline-size: 30rem; padding: .5rem 1rem; min-block-size: 2rem; border-radius: var(--_radius); background: var(--_fg); color: var(--_bg); font-weight: 600; box-shadow: 0 8px 24px #0005; overflow-wrap: anywhere; }
.toasts > :not(.result) button { background: none; border: 0; color: inherit; text-decoration: underline; min-block-size: 2rem; padding: 0 .25rem; }
.people { list-style: none; margin: 0; padding: 0; }
.people li { display: flex; align-items: center; gap: .5rem .75rem; min-block-size: 3.5rem; padding: .375rem .75rem; border-radius: var(--_radius); }
.people li.asks { border: 1px solid var(--_line); margin-block-end: .5rem; background: var(--_raised); }
.people .picture { inline-size: 36px; block-size: 36px; }
.people .asks .who strong { white-space: normal; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }
.people li:has(.three) { flex-wrap: wrap; }
.people .three { flex: 1 1 100%; order: 1; display: flex; flex-wrap: wrap; gap: .5rem; }
.people .who { flex: 1 1 4rem; min-inline-size: 0; }
.people .who > * { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.people .flag { unicode-bidi: isolate; }
.people .who strong { font-weight: 600; inline-size: fit-content; max-inline-size: 100%; }
.people small, .small { color: var(--_muted); font-size: .8125rem; }
.menu { position: relative; }
.menu > summary { list-style: none; min-inline-size: 2.75rem; min-block-size: 2.75rem; display: grid; place-items: center; border-radius: 99px; cursor: pointer; font-weight: 700; }
.menu > summary::-webkit-details-marker { display: none; }
.menu > summary:hover { background: var(--_raised); }
.menu > div { position: absolute; inset-inline-end: 0; inset-block-start: 100%; z-index: 3; display: grid; min-inline-size: 10rem; background: var(--_bg); border: 1px solid var(--_line); border-radius: var(--_radius); box-shadow: 0 8px 24px #0004; padding: .25rem; }
.menu.up > div { inset-block: auto 100%; }
.menu button { border: 0; text-align: start; background: none; }
.menu button:hover { background: var(--_raised); }
.chip { font-size: .75rem; font-weight: 700; border-radius: 99px; padding: .125rem .5rem; background: var(--_raised); }
.chip.won { color: var(--_up); }
.chip.lost { color: var(--_down); }
.badges ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(5.25rem, 1fr)); gap: .75rem .5rem; }
.badges li { text-align: center; font-size: .75rem; line-height: 1.25; color: var(--_muted); overflow-wrap: anywhere; }
.badges li strong { display: block; font-weight: 600; color: var(--_fg); }
.badges i { display: grid; place-items: center; inline-size: 52px; block-size: 52px; border-radius: 16px; margin: 0 auto .25rem; font-size: 1.5rem; font-style: normal; background: light-dark(#fff4d6, #3a2f10); }
.badges .off i { background: var(--_raised); filter: grayscale(1); opacity: .6; }
.badges small { display: block; font-size: inherit; }
.result { display: grid; gap: .5rem; justify-items: center; text-align: center; }
.result .counted { font-size: 2.25rem; font-weight: 800; font-variant-numeric: tabular-nums; }
.confetti { position: fixed; inset: 0; overflow: hidden; pointer-events: none; z-index: 6; }
.confetti i { position: absolute; inset-block-start: -5%; inline-size: 8px; block-size: 14px; border-radius: 2px; animation: fall 1.8s ease-in forwards; }
@keyframes fall { to { transform: translateY(115vh) rotate(720deg); opacity: .6; } }
.sheet pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--_raised); border-radius: var(--_radius); padding: .75rem 1rem; margin: 0 0 .75rem; }
.sheet img, .sheet canvas { inline-size: 100%; block-size: auto; border-radius: var(--_radius); display: block; margin-block-end: .75rem; }
.hero { text-align: center; padding: 1.25rem 1rem; border-radius: max(var(--_radius), 4px); background: linear-gradient(160deg, color-mix(in srgb, var(--tier) 22%, var(--_bg)), var(--_bg)); border: 1px solid var(--_line); }
.hero h2 { font-size: 1.375rem; margin: .5rem 0 .125rem; }
.hero p { margin: 0; text-wrap: balance; }
.hero p > * { unicode-bidi: isolate; }
.hero > p:has(> strong) { unicode-bidi: normal; }
.hero .shield { inline-size: 80px; block-size: 88px; }
.shield { fill: var(--tier); stroke: color-mix(in srgb, var(--tier) 70%, #000); stroke-width: 4; forced-color-adjust: none; }
.shield path + path { fill: #fff; stroke: none; }
.ladder { list-style: none; display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: .375rem; margin: .75rem 0 .5rem; padding: 0; }
.ladder .shield { inline-size: 22px; block-size: 24px; display: block; }
.result .shield { inline-size: 96px; block-size: 104px; }
.ladder li { opacity: .95; }
.ladder li.off .shield { fill: var(--_raised); stroke: color-mix(in srgb, var(--_fg) 30%, var(--_bg)); }
.ladder li[aria-current] .shield { inline-size: 38px; block-size: 42px; }
.lb .league-board { display: block; margin-block-start: .75rem; }
.lb .league-board tbody { display: contents; }
.lb .league-board thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.lb .league-board tr { display: grid; grid-template-columns: 2rem minmax(0, 1fr) auto; gap: .75rem; align-items: center; min-block-size: 52px; padding-inline: .75rem; border-radius: var(--_radius); }
.lb .league-board th, .lb .league-board td { display: block; block-size: auto; inline-size: auto; padding: 0; }
.lb .league-board tr:hover > * { background: none; }
.lb .league-board tr[data-player]:hover { background: var(--_raised); }
.lb .league-board tr > * { background: none; box-shadow: none; border: 0; }
.lb .league-board tr[aria-current], .lb .league-board tr[aria-current]:hover { background: var(--_own); box-shadow: inset 0 0 0 2px var(--_accent), 0 8px 24px light-dark(#14161f33, #000c); position: sticky; inset-block: .5rem; z-index: 1; --_muted: var(--_fg); }
.lb .league-board .picture { inline-size: 36px; block-size: 36px; }
.lb .league-board .score small { font-weight: 400; color: var(--_muted); }
.lb .league-board tr.zone { display: block; min-block-size: 0; padding-block: .75rem .25rem; cursor: default; }
.lb .league-board tr.zone th { display: flex; align-items: center; gap: .5rem; font-size: .8125rem; font-weight: 700; color: var(--_muted); }
.lb .zone th::after { content: ""; flex: 1; block-size: 2px; background: currentColor; opacity: .35; }
.lb .league-board [data-zone=promotion] .zone th { color: var(--_up); }
.lb .league-board [data-zone=relegation] .zone th { color: var(--_down); }
.past { list-style: none; margin: 0; padding: 0; }
.past li { padding-block: .5rem; border-block-start: 1px solid var(--_line); }
.spread-columns { display: flex; align-items: end; gap: 4px; block-size: 72px; }
.spread-columns i { flex: 1; min-block-size: 2px; background: var(--_control); opacity: .45; border-radius: 3px 3px 0 0; forced-color-adjust: none; }
.spread-columns i.on { background: var(--_accent); opacity: 1; }
@container (max-width: 20rem) { .lb .panel .player :is(button, .you) { grid-row: 1 / 3; } }
@container (max-width: 30rem) { .lb .panel tr { grid-template-columns: 2.25rem minmax(0, 1fr) auto; gap: .5rem; padding-inline: .5rem; } .lb .panel td.rank { font-size: .8125rem; } .lb .podium tbody { column-gap: .5rem; } }
@container (max-width: 15rem) { .lb .panel .picture { display: none; } .lb .panel .player > div { column-gap: 0; } .lb .panel .you { margin-inline-start: .5rem; } .lb .panel tr:not(.gap) { grid-template-columns: auto minmax(0, 1fr); padding-block: .5rem; } .lb .panel .player > div { block-size: auto; } .lb .panel tbody td.score, .lb .panel tfoot td.score { grid-column: 2; text-align: start; } }
@media (min-width: 1000px) { .cols.wide { grid-template-columns: minmax(0, 1fr) 320px; gap: 1.5rem; } .cols.wide .side { grid-template-columns: minmax(0, 1fr); } }
@media (min-width: 600px) { .cols:not(.wide) { max-inline-size: 40rem; margin-inline: auto; } }
@media (max-width: 759px) {
.lb .picker button { min-inline-size: 2.75rem; }
.lb [data-testid=duels-lists] > .rowish > button { flex: 1 1 auto; }
.league .box { border: 0; box-shadow: none; padding: .5rem; }
.lb .picker:not(.none) { display: contents; }
.lb .picker .today { order: 1; }
.stand { order: 2; }
.invite > button, .banner > button { flex: 1 1 auto; padding-inline: .5rem; }
.lb [role=tablist]:has(> :only-child) { inline-size: auto; }
.lb [role=tab]:only-child { padding-inline: .75rem; }
.lb { padding: 0 0 calc(9rem + env(safe-area-inset-bottom)); }
.top { padding: .25rem .75rem 0; gap: .5rem; }
.top select { flex: 1 1 7rem; min-inline-size: 7rem; max-inline-size: max-content; }
.lb [role=tablist] { inline-size: 100%; }
.lb [role=tab] { padding-inline: .25rem; }
.places { position: fixed; inset-inline: 0; inset-block-end: 0; z-index: 4; background: var(--_bg); border-block-start: 1px solid var(--_line); padding-block-end: env(safe-area-inset-bottom); gap: 0; margin: 0; }
.places a { flex: 1 1 0; flex-direction: column; justify-content: center; gap: 2px; block-size: 60px; padding: 0; border-radius: 0; font-size: .6875rem; min-inline-size: 0; }
.lb .places a[aria-current] { background: none; }
.places svg { display: block; }
.places .dot { position: absolute; inset-block-start: 6px; inset-inline-start: calc(50% + 6px); }
.cols { margin: 0; }
.board.box { border: 0; border-radius: 0; box-shadow: none; background: none; padding: 0 .25rem; }
.lb .board { --_bg: var(--_canvas); }
.side, .banner { margin-inline: .75rem; }
.banner { column-gap: .5rem; }
.tools, .invite { padding: .25rem .5rem; }
.lb .picker .today { padding-inline: .25rem; }
.board h3, .lb .ratings { padding-inline: .5rem; }
.tools { gap: .25rem .5rem; }
.lb .try { margin-block-start: .5rem; }
.lb .panel tfoot tr.own, .lb .league-board tr[aria-current] { inset-block-end: calc(66px + env(safe-area-inset-bottom)); }
.toasts { inset-block-end: calc(128px + env(safe-area-inset-bottom)); }
.lb dialog .grab { display: grid; place-items: center; block-size: 1.75rem; margin: -1.25rem -1.25rem 0; touch-action: none; cursor: grab; }
.lb dialog .grab::before { content: ""; inline-size: 36px; block-size: 4px; border-radius: 2px; background: var(--_control); }
}
/* Where it has a line of its own, and a podium is below. */
@media (max-width: 759px) and (min-height: 481px) { .lb:has([data-place=boards] .podium:not(.valued)):not(:has(.panel .message:not([hidden]))) .stand { margin-block-end: clamp(-1.75rem, (15.5rem - 100vw) * 1000, 0rem); position: relative; inset-block-start: -.375rem; } }
@media (max-width: 520px), (min-width: 760px) and (max-width: 899px) { .top:has(> select:not([hidden])) > h1 { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); } }
@media (max-width: 26rem) { .lb [role=tablist]:has(> :nth-child(6)) [role=tab] { font-size: .75rem; padding-inline: .125rem; } }
@media (max-height: 480px) { .lb .panel tr { min-block-size: 2.5rem; } .lb .panel .player > div { block-size: 2.5rem; } .lb .panel .flag { display: none; } .lb .panel .player > div > :is(button, .you) { grid-row: 1 / 3; } }
@media (prefers-reduced-motion: no-preference) { .skeleton i { animation: wait 1.2s ease-in-out infinite alternate; } dialog[open] { animation: rise .2s ease-out; } .toasts > * { animation: rise .2s ease-out; } }
@keyframes wait { to { opacity: .5; } }
@keyframes rise { from { transform: translateY(24px); opacity: 0; } }
@media (forced-colors: active) { .places a[aria-current], .lb [role=tab][aria-selected=true] { outline: 2px solid Highlight; outline-offset: -2px; color: Highlight; } .meter > span, .spread-columns i.on { background: Highlight; } .lb .panel tr.own { outline: 2px solid Highlight; } }
`;
