// The picture of a result, 1200 by 630 pixels, in the colours of the page.

export interface Poster {
  game: string;
  mode: string;
  when: string;
  rank: string; // such as #17
  of: string; // such as of 94 · top 18%
  name: string;
  grid: string[];
  streak: string;
}

/** draw draws the picture; `near` is an element that has the page's colours. */
export function draw(poster: Poster, near: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = 1200;
  canvas.height = 630;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", [poster.game, poster.mode, poster.when, poster.rank, poster.of].join(", "));
  const c = canvas.getContext("2d")!;
  // A colour that is mixed from others is resolved by asking an element for it.
  const probe = near.appendChild(document.createElement("i"));
  const colour = (name: string) => ((probe.style.color = `var(${name})`), getComputedStyle(probe).color);
  const [ground, card, text, muted, accent] = ["--_canvas", "--_bg", "--_fg", "--_muted", "--_accent"].map(colour) as [string, string, string, string, string];
  probe.remove();
  const font = getComputedStyle(near).fontFamily;
  const write = (what: string, x: number, y: number, size: number, weight: number, fill: string, width = 1000) => {
    c.font = `${weight} ${size}px ${font}`;
    c.fillStyle = fill;
    c.fillText(what, x, y, width);
  };
  c.fillStyle = ground;
  c.fillRect(0, 0, 1200, 630);
  c.fillStyle = card;
  c.beginPath();
  c.roundRect(40, 40, 1120, 550, 40);
  c.fill();
  c.fillStyle = accent;
  c.fillRect(40, 80, 14, 470);
  write(`${poster.game} · ${poster.mode}`, 100, 130, 44, 700, text);
  write(poster.when, 100, 182, 32, 400, muted);
  write(poster.rank, 96, 385, 190, 800, text, 640);
  write(poster.of, 100, 450, 40, 400, muted, 640);
  write([poster.name, poster.streak].filter(Boolean).join("  ·  "), 100, 535, 38, 600, text, 1000);
  c.textAlign = "end";
  poster.grid.slice(0, 6).forEach((line, i) => write(line, 1110, 270 + 62 * i, 48, 400, text, 420));
  return canvas;
}
