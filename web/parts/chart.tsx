/** A line over time, with the time before it dashed; every number of it is in the table below it as well. */
import { scaleLinear, scaleTime } from "d3-scale";
import { line } from "d3-shape";
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import "./chart.css";

export type Point = { at: Date; value: number; before?: number };
type Props = { label: string; points: Point[]; name: string; tick: (at: Date) => string; children?: ReactNode };

const HEIGHT = 240;
const EDGE = { top: 12, right: 12, bottom: 28, left: 44 };

export function Chart({ label, points, name, tick, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  const [held, setHeld] = useState<number | null>(null);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, entry.contentRect.width)));
    if (box.current) watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  const most = Math.max(1, ...points.flatMap((one) => [one.value, one.before ?? 0]));
  const x = scaleTime([points[0]?.at ?? new Date(0), points.at(-1)?.at ?? new Date(1)], [EDGE.left, width - EDGE.right]);
  const y = scaleLinear([0, most], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  const now = line<Point>((one) => x(one.at), (one) => y(one.value))(points) ?? "";
  const before = line<Point>((one) => x(one.at), (one) => y(one.before ?? 0))(points) ?? "";
  const point = held === null ? undefined : points[held];
  const compared = points.some((one) => one.before !== undefined);
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setHeld(nearest(points.map((one) => x(one.at)), at));
  };
  return (
    <figure className="chart" ref={box}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label} onPointerMove={move} onPointerLeave={() => setHeld(null)}>
        {y.ticks(4).filter(Number.isInteger).map((value) => (
          <g key={value}>
            <line className="chart-rule" x1={EDGE.left} x2={width - EDGE.right} y1={y(value)} y2={y(value)} />
            <text className="chart-word" x={EDGE.left - 8} y={y(value)} dy="0.32em" textAnchor="end">{short(value)}</text>
          </g>
        ))}
        {dates(points, width).map((one) => (
          <text key={one.at.getTime()} className="chart-word" x={x(one.at)} y={HEIGHT - 8} textAnchor="middle">{tick(one.at)}</text>
        ))}
        {compared && <path className="chart-before" d={before} />}
        <path className="chart-now" d={now} />
        {point && (
          <g>
            <line className="chart-held" x1={x(point.at)} x2={x(point.at)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
            <circle className="chart-dot" cx={x(point.at)} cy={y(point.value)} r={4} />
          </g>
        )}
      </svg>
      <figcaption className="note">
        {point ? `${tick(point.at)}: ${point.value.toLocaleString("en")} ${name}${point.before === undefined ? "" : `, ${point.before.toLocaleString("en")} before`}` : compared ? "Dashed: as long a time before." : " "}
      </figcaption>
      {children}
    </figure>
  );
}

const short = (value: number) => Intl.NumberFormat("en", { notation: "compact" }).format(value);

/** As many dates as there is room for. */
function dates(points: Point[], width: number): Point[] {
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(width / 96))));
  return points.filter((_, at) => at % every === 0 && at < points.length - every / 2 + 1);
}

export function nearest(places: number[], to: number): number | null {
  let best: number | null = null;
  for (const [at, place] of places.entries()) if (best === null || Math.abs(place - to) < Math.abs(places[best]! - to)) best = at;
  return best;
}

/** How much of the most something is, beside its number. */
export function Share({ value, most }: { value: number; most: number }) {
  return <progress className="share" value={value} max={most || 1} aria-hidden="true" />;
}
