// The style of the elements themselves.

export const host = `
:host { display: block; background: var(--_bg); color: var(--_fg); font: var(--lb-font, inherit); }
:host([hidden]) { display: none; }
:host([compact]) { --_row: 34px; }
:host([compact]) :is(.picture, .flag, .summary time) { display: none; }
:host([compact]) thead { visibility: collapse; }
`;
