import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { ClockPoint } from '../../orchestrator/dashboard/picture-type.ts';
import { digitGroups, spanText } from '../../system/numbers/human.ts';
import { Choice, type ViewProps } from '../parts/parts.tsx';
import { clockTime } from '../parts/values.ts';
import { networkTime, warpsIn } from './clock.ts';
import { withGaps } from './gaps.ts';
import { Pace } from './pace.tsx';

const COLOURS = ['#1f77d0', '#e07b00', '#2a9d5c', '#c43c8a', '#7b5cd6', '#8a6d3b', '#d23f31', '#3aa6b9'];
/** Distances of the marks of an axis of block numbers: a block has no fraction. */
const WHOLE = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
/** Distances (s) of the marks of the time: a label has no fraction of a second. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const AXIS_TITLES = { heads: 'unsafe heads', behind: 'blocks behind the highest head' } as const;
const HEIGHT = 360;

/** Plots the unsafe heads of all nodes over time, and shows the pace and the fees of each chain. */
export function Heads({ store: { nodes, samples, clock, picture }, theme }: ViewProps) {
  const [kind, setKind] = useState<string>(AXIS_TITLES.heads);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = nodes.join();
  const points = useRef(clock);
  points.current = clock;

  useEffect(() => {
    const parent = place.current;
    if (parent === null || names === '') return;
    const chart = new uPlot(
      optionsOf(names.split(','), parent.clientWidth, () => points.current),
      [[]],
      parent,
    );
    plot.current = chart;
    const fit = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT }));
    fit.observe(parent);
    return () => {
      fit.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [names]);

  useEffect(() => plot.current?.redraw(), [theme]);

  useEffect(() => {
    const rows = withGaps(samples);
    const columns = nodes.map((_, at) => rows.map((sample) => sample[at + 1] ?? null));
    const times = rows.map(([at]) => at);
    plot.current?.setData([times, ...(kind === AXIS_TITLES.heads ? columns : behind(nodes, columns))]);
    plot.current?.setLegend({ idx: times.length - 1 });
  }, [samples, kind, names]);

  return (
    <>
      <div class="row">
        <Choice label="show" words={Object.values(AXIS_TITLES)} value={kind} choose={setKind} />
        <span class="dim">
          {samples.length} samples, one a second; times are those of blocks; a gap: nothing was measured
        </span>
      </div>
      <div ref={place} role="img" aria-label={kind} />
      {picture !== undefined && <Pace picture={picture} />}
    </>
  );
}

function optionsOf(names: readonly string[], width: number, points: () => readonly ClockPoint[]): uPlot.Options {
  const blockTime = (at: number) => clockTime(networkTime(points(), at));
  const axis = { stroke: () => colour('--dim'), grid: { stroke: () => colour('--line'), width: 1 } };
  const times = { ...axis, incrs: SECONDS, space: 70, values: (_: uPlot, splits: number[]) => splits.map(blockTime) };
  return {
    ...{ width, height: HEIGHT },
    axes: [times, { ...axis, incrs: WHOLE, size: 70, values: (_: uPlot, splits: number[]) => splits.map(digitGroups) }],
    hooks: {
      draw: [(chart: uPlot) => drawWarps(chart, points())],
      // Without the pointer over the plot the legend has the newest values.
      setLegend: [
        (chart: uPlot) => {
          if (chart.legend.idx == null) chart.setLegend({ idx: (chart.data[0]?.length ?? 0) - 1 }, false);
        },
      ],
    },
    series: [
      { label: 'block time (UTC)', value: (_: uPlot, at: number | null) => (at === null ? '-' : blockTime(at)) },
      ...names.map((label, at) => {
        // Lines of equal heads lie upon each other: those below are wider.
        const lineWidth = Math.max(2, 8 - 3 * at);
        const value = (_: uPlot, block: number | null) => (block === null ? '-' : digitGroups(block));
        return {
          label,
          stroke: COLOURS[at % COLOURS.length] ?? '#888',
          width: lineWidth,
          points: { show: false },
          value,
        };
      }),
    ],
  };
}

/** Marks each warp of the network's clock, above which the time of the axis jumps. */
function drawWarps(chart: uPlot, points: readonly ClockPoint[]): void {
  const { ctx, bbox } = chart;
  const [first = 0, last = 0] = [chart.scales['x']?.min, chart.scales['x']?.max];
  ctx.save();
  ctx.strokeStyle = colour('--warn');
  ctx.fillStyle = colour('--warn');
  ctx.setLineDash([4, 4]);
  for (const { at, seconds } of warpsIn(points).filter((warp) => warp.at > first && warp.at <= last)) {
    const x = chart.valToPos(at, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isNearEnd = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isNearEnd ? 'right' : 'left';
    const words = `warp ${seconds < 0 ? '−' : '+'}${spanText(Math.abs(seconds))}`;
    ctx.fillText(words, x + (isNearEnd ? -6 : 6), bbox.top + 14);
  }
  ctx.restore();
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

/** Returns the blocks behind the highest head of the node's own chain. */
function behind(nodes: readonly string[], columns: readonly (number | null)[][]): (number | null)[][] {
  const chainOf = (at: number) => nodes[at]?.split('/')[0];
  return columns.map((column, at) => {
    const siblings = columns.filter((_, other) => chainOf(other) === chainOf(at));
    return column.map((head, row) =>
      head === null ? null : Math.max(...siblings.map((sibling) => sibling[row] ?? 0)) - head,
    );
  });
}
