import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { Choice, clockTime, type ViewProps } from './parts.tsx';

const COLOURS = ['#1f77d0', '#e07b00', '#2a9d5c', '#c43c8a', '#7b5cd6', '#8a6d3b', '#d23f31', '#3aa6b9'];
/** Distances of the marks of an axis of block numbers: a block has no fraction. */
const WHOLE = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const AXIS_TITLES = { heads: 'unsafe heads', behind: 'blocks behind the highest head' } as const;

/** Plots the unsafe heads of all nodes over time. */
export function Heads({ store: { nodes, samples }, theme }: ViewProps) {
  const [kind, setKind] = useState<string>(AXIS_TITLES.heads);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = nodes.join();

  useEffect(() => {
    const parent = place.current;
    if (parent === null || names === '') return;
    const axis = { stroke: () => colour('--dim'), grid: { stroke: () => colour('--line'), width: 1 } };
    const times = { ...axis, space: 70, values: (_: uPlot, splits: number[]) => splits.map(clockTime) };
    const chart = new uPlot(
      {
        ...{ width: parent.clientWidth, height: 360 },
        axes: [times, { ...axis, incrs: WHOLE }],
        series: [
          { label: 'UTC', value: (_: uPlot, time: number | null) => (time === null ? '-' : clockTime(time)) },
          ...names.split(',').map((label, at) => {
            // Lines of equal heads lie upon each other: those below are wider.
            const width = Math.max(2, 8 - 3 * at);
            return { label, stroke: COLOURS[at % COLOURS.length] ?? '#888', width, points: { show: false } };
          }),
        ],
      },
      [[]],
      parent,
    );
    plot.current = chart;
    const fit = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: 360 }));
    fit.observe(parent);
    return () => {
      fit.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [names]);

  useEffect(() => plot.current?.redraw(), [theme]);

  useEffect(() => {
    const columns = nodes.map((_, at) => samples.map((sample) => sample[at + 1] ?? null));
    const times = samples.map(([at]) => at);
    plot.current?.setData([times, ...(kind === AXIS_TITLES.heads ? columns : behind(columns))]);
  }, [samples, kind, names]);

  return (
    <>
      <div class="row">
        <Choice label="show" words={Object.values(AXIS_TITLES)} value={kind} choose={setKind} />
        <span class="dim">{samples.length} samples, one a second</span>
      </div>
      <div ref={place} role="img" aria-label={kind} />
    </>
  );
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

function behind(columns: readonly (number | null)[][]): (number | null)[][] {
  const rows = columns[0]?.length ?? 0;
  const highest = Array.from({ length: rows }, (_, row) => Math.max(...columns.map((column) => column[row] ?? 0)));
  return columns.map((column) => column.map((head, row) => (head === null ? null : (highest[row] ?? 0) - head)));
}
