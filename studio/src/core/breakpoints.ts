// Breakpoints of a numeric column, and the levels that follow from them.

/** The finest list of breakpoints; several lists have their levels written down. */
export function finest(breakpoints: number[] | number[][]): number[] {
  return Array.isArray(breakpoints[0]) ? [...(breakpoints[0] as number[])] : [...(breakpoints as number[])];
}

export function hasLevels(breakpoints: number[] | number[][]): boolean {
  return Array.isArray(breakpoints[0]);
}

/** Levels as the program makes them: neighbours are merged pairwise until one range is left. */
export function levels(points: number[]): number[][] {
  const all = [points];
  let now = points;
  while (now.length > 2) {
    const last = now.length - 1;
    now = now.filter((_, i) => i % 2 === 0 || i === last);
    all.push(now);
  }
  return all;
}

export const rangeLabel = (from: number, to: number) => `[${from},${to})`;

/** Text as people write it: numbers with commas or blanks between them. Null where it is none. */
export function parsePoints(text: string): number[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const numbers = words.map(Number);
  if (numbers.length < 2 || numbers.some((n) => !Number.isFinite(n))) return null;
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Breakpoints of one width over the same numbers. */
export function evenly(points: number[], width: number): number[] {
  const from = Math.floor(points[0]! / width) * width;
  const to = Math.ceil(points[points.length - 1]! / width) * width;
  const made: number[] = [];
  for (let i = 0; from + i * width <= to + width / 1e6 && i < 400; i++) made.push(Number((from + i * width).toPrecision(12)));
  return made;
}

/** Moves one breakpoint; it stays between its neighbours, and the ends may move outward. */
export function moved(points: number[], index: number, to: number): number[] {
  const lower = index === 0 ? -Infinity : points[index - 1]!;
  const upper = index === points.length - 1 ? Infinity : points[index + 1]!;
  if (!(to > lower && to < upper)) return points;
  return points.map((p, i) => (i === index ? to : p));
}

/** A round step for the width of a track: about 200 of them. */
export function stepOf(points: number[]): number {
  const width = points[points.length - 1]! - points[0]!;
  const rough = Math.pow(10, Math.floor(Math.log10(Math.max(width, 1e-9) / 50)));
  return points.every(Number.isInteger) ? Math.max(1, rough) : rough;
}
