/** How far something is: a bar, and the words that say the same. */
import "./bar.css";

export function Bar({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <span className="how-far">
      <progress aria-label={label} value={done} max={Math.max(total, 1)} />
      <span className="note">{total ? `${done} of ${total}` : "Begins"}</span>
    </span>
  );
}
