// The podium of the first three, for the page and the elements.
export const podium = `
@media (min-height: 481px) { @container (min-width: 15.01rem) {
.panel .podium tbody { display: grid; grid-template-columns: 1fr 1.15fr 1fr; column-gap: .75rem; align-items: end; }
.panel .podium tbody tr { grid-column: 1 / -1; }
.panel .podium tbody tr:nth-child(-n+3) { grid-row: 1; display: flex; flex-wrap: wrap; align-items: baseline; justify-content: center; gap: 0 .375rem; text-align: center; background: var(--_raised); padding: 2.25rem .5rem .625rem; margin-block: 3.125rem .75rem; min-inline-size: 0; --ring: var(--_bronze); }
.panel .podium tbody tr.own:nth-child(-n+3) { background: var(--_own); }
.panel .podium tbody tr:nth-child(1) { grid-column: 2; padding-block: 2.5rem 1.25rem; margin-block-start: 2.625rem; }
.panel .podium tbody tr:nth-child(2) { grid-column: 1; }
.panel .podium tbody tr:nth-child(3) { grid-column: 3; }
.panel .podium tbody tr:nth-child(-n+3):has(.m1) { --ring: var(--_gold); }
.panel .podium tbody tr:nth-child(-n+3):has(.m2) { --ring: var(--_silver); }
.panel .podium tbody tr:nth-child(-n+3) .rank { position: absolute; inset-block-start: 6px; inset-inline-start: calc(50% + 10px); inline-size: auto; z-index: 1; }
.panel .podium tbody tr:nth-child(-n+3) .change { position: absolute; inset-inline-start: 30px; inset-block-start: 6px; }
.panel .podium tbody tr:nth-child(-n+3) :is(.player, .player > div) { display: contents; }
.panel .podium tbody tr:nth-child(-n+3) .you { order: 1; }
.panel .podium tbody tr:nth-child(-n+3) .picture { position: absolute; inset-block-start: -28px; inset-inline-start: calc(50% - 28px); inline-size: 56px; block-size: 56px; font-size: 1.25rem; box-shadow: 0 0 0 4px var(--ring); }
.panel .podium tbody tr:nth-child(1) .picture { inline-size: 68px; block-size: 68px; inset-block-start: -36px; inset-inline-start: calc(50% - 34px); }
.panel .podium tbody tr:nth-child(-n+3) button { max-inline-size: 100%; flex: 0 1 100%; contain: paint; text-align: center; }
.panel .podium tbody tr:nth-child(-n+3) .score { text-align: center; font-size: 1.0625rem; }
@container (max-width: 24rem) { .panel .podium tbody { column-gap: .375rem; } .panel .podium tbody tr:nth-child(-n+3) { padding-inline: .25rem; } .panel .podium tbody tr:nth-child(-n+3) button { font-size: .875rem; } }
.panel .podium .skeleton:nth-child(-n+3) .player i { margin-inline: 15%; }
.panel .podium .skeleton:nth-child(-n+3) .rank { display: none; }
.panel .podium .skeleton:nth-child(-n+3) .player::before { content: ""; position: absolute; inset-block-start: -28px; inset-inline-start: calc(50% - 28px); inline-size: 56px; block-size: 56px; border-radius: 50%; background: color-mix(in srgb, var(--_fg) 16%, var(--_bg)); box-shadow: 0 0 0 4px var(--_bg); }
.panel .podium .skeleton:nth-child(1) .player::before { inline-size: 68px; block-size: 68px; inset-block-start: -36px; inset-inline-start: calc(50% - 34px); }
} }
`;

/** podiumRows are the rows below a podium, in an element: a grid as the page's are. */
export const podiumRows = `
.podium, .podium :is(tbody, tfoot) { display: block; }
.podium thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
.podium tr { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr) auto; gap: .5rem; align-items: center; min-block-size: var(--_row); padding-inline: .5rem; border-radius: var(--_radius); position: relative; }
.podium :is(th, td) { display: block; padding: 0; block-size: auto; inline-size: auto; }
.podium .player > div { block-size: auto; }
.podium tr > *, .podium tr.own > *, .podium tr.own > :first-child, .podium tr.own > :last-child { background: none; box-shadow: none; border: 0; }
.podium tr.own, .podium tbody tr.own:hover { background: var(--_own); box-shadow: inset 0 0 0 2px var(--_accent); --_muted: var(--_fg); }
.podium tfoot tr.own { position: sticky; inset-block-end: 0; z-index: 1; }
.podium tfoot tr.own > * { position: static; }
.podium tr.gap { display: block; min-block-size: 0; }
`;
