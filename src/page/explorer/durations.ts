/** Least width of a bar, in percent: a moment is seen, too. */
const LEAST_WIDTH = 0.4;

/** Returns the place of a span's bar in percent of the whole trace. */
export function barOf(span: { readonly start: number; readonly ms: number }, total: number) {
  const share = (ms: number) => (total > 0 ? (ms / total) * 100 : 0);
  const width = Math.max(share(span.ms), LEAST_WIDTH);
  return { left: Math.min(share(span.start), 100 - width), width };
}

/** Writes a duration with three digits at least: 0.35 ms, 21.5 ms, 480 ms, 2.02 s. */
export function milliseconds(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`;
}
