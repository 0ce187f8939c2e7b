/** Lines that stand for what is being fetched; they come only after a moment, so that what is quick does not flicker. */
import "./waiting.css";

export function Waiting({ lines = 4, what = "Loading" }: { lines?: number; what?: string }) {
  return (
    <div className="waiting" role="status" aria-label={what}>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={`waiting-line w${at % 4}`} />
      ))}
    </div>
  );
}
