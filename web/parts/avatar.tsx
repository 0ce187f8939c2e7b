/** Somebody's picture, or their initials on a colour of their own. */
import "./avatar.css";

const HUES = 8;

export function Avatar({ name, picture, size = "normal" }: { name: string; picture?: string; size?: "small" | "normal" }) {
  const seed = [...name].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) >>> 0, 7);
  return (
    <span className={`avatar ${size} hue-${seed % HUES}`} title={name} aria-hidden="true">
      {picture ? <img src={picture} alt="" /> : initials(name)}
    </span>
  );
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase() || "?";
}
