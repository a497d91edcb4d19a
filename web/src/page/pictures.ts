// Line drawings, for what is empty or cannot be had, and the symbols of the places.

const space = "http://www.w3.org/2000/svg";

/** drawing makes an svg of paths, in a square of `size` units. */
export function drawing(paths: string[], size: number | [number, number] = 24, name = ""): SVGSVGElement {
  const [width, height] = typeof size === "number" ? [size, size] : size;
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (name) svg.setAttribute("class", name);
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

export const symbols = {
  boards: ["M4 20v-8h5v8M9 20V5h6v15M15 20v-5h5v5"],
  league: ["M7 4h10v6a5 5 0 0 1-10 0zM12 15v5M8 20h8"],
  friends: ["M13 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M2 20c1-5 13-5 14 0M16 5a4 4 0 0 1 0 7M18 15c2 .6 4 2 4 5"],
  duels: ["m4 4 12 12M4 20 20 4M14 18l4-4"],
};

export const drawings = {
  stand: ["M10 84h76M18 84V64h20v20M38 84V52h20v32M58 84V70h20v14M38 16h20v12a10 10 0 0 1-20 0zM38 19h-7c0 8 3 12 8 12M58 19h7c0 8-3 12-8 12M48 38v8M42 46h12"],
  people: ["M44 34a13 13 0 1 1-26 0 13 13 0 0 1 26 0M8 78c2-26 44-26 46 0M60 22a13 13 0 0 1 4 25M66 54c12 2 20 11 22 24"],
  calendar: ["M18 24h60v56H18zM18 40h60M34 16v14M62 16v14M36 58l8 8 16-16"],
  clock: ["M82 50a34 34 0 1 1-68 0 34 34 0 0 1 68 0M48 30v20l14 8"],
  tools: ["M60 20a16 16 0 0 0-15 22L20 67a7 7 0 0 0 10 10l25-25a16 16 0 0 0 21-21L66 41l-9-2-2-9z"],
  plug: ["M48 88V66M34 42h28v10a14 14 0 0 1-28 0zM40 42V26M56 42V26M18 18l12 12M78 18 66 30"],
};

// A shield, and the star on it.
export const shield = ["M8 6h72v48c0 20-20 32-36 38C28 86 8 74 8 54z", "M44 24l7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z"];
