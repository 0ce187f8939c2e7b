/** How well a colour reads on another, as WCAG counts it. */
type Rgb = [number, number, number];

export function parse(colour: string): Rgb | null {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  return found ? [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)] : null;
}

/** 1 to 21; null for what is no colour `#rrggbb`. */
export function contrast(one: string, other: string): number | null {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b) return null;
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const luminance = (colour: Rgb) => {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
