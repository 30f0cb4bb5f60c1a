import type { PictureChain } from '../../orchestrator/dashboard/picture-type.ts';
import { spanText } from '../../system/numbers/human.ts';
import { Table, useWidth, type ViewProps } from '../parts/parts.tsx';
import { clockTime, text } from '../parts/values.ts';
import { forkState } from './fork-state.ts';
import { LABEL, LEFT, scaleOf } from './scale.ts';

interface Moment {
  readonly now: number;
  readonly genesisTime: number;
}

/** The forks of each chain: a time line of the activations, and a table. Both show the same states. */
export function Forks({ store: { picture } }: ViewProps) {
  if (picture === undefined) return null;
  const moment = { now: picture.clock.at / 1000, genesisTime: picture.genesisTime };
  return (
    <>
      {picture.chains.map((chain) => (
        <section key={chain.name}>
          <h2>
            {chain.name} <span class="dim">chain {chain.chainId}</span>
          </h2>
          <Chain chain={chain} moment={moment} />
        </section>
      ))}
    </>
  );
}

function Chain({ chain, moment }: { readonly chain: PictureChain; readonly moment: Moment }) {
  const isOld = ({ block, overrides, nodes }: PictureChain['forks'][number]) =>
    block === 0 && Object.keys(overrides).length === 0 && Object.values(nodes).every((state) => state === 'active');
  const [old, rows] = [chain.forks.filter(isOld), chain.forks.filter((row) => !isOld(row))];
  return (
    <>
      <Timeline chain={chain} forks={rows} moment={moment} />
      {rows.length > 0 && (
        <Table
          columns={[
            'fork',
            'activates (UTC)',
            'in',
            '#block',
            ...chain.nodes.map(({ name }) => `${chain.name}/${name}`),
          ]}
          rows={rows.map((row) => [
            row.fork,
            row.at?.replace('T', ' ').replace('Z', '') ?? 'never',
            row.secondsToGo === null ? '-' : row.secondsToGo === 0 ? 'past' : spanText(row.secondsToGo),
            text(row.block),
            ...chain.nodes.map((node) => {
              const state = forkState(row, node, moment);
              return (
                <span key={node.name} class={state.kind}>
                  {state.text}
                </span>
              );
            }),
          ])}
        />
      )}
      {old.length > 0 && (
        <p class="dim">active from the genesis on, on every node: {old.map(({ fork }) => fork).join(', ')}</p>
      )}
    </>
  );
}

/** Width (px) of a letter of a label. */
const LETTER = 6;
const ROW = 40;

/** Draws each activation after the genesis at its time, a line for each node. */
function Timeline({
  chain,
  forks,
  moment,
}: {
  readonly chain: PictureChain;
  readonly forks: PictureChain['forks'];
  readonly moment: Moment;
}) {
  const width = useWidth();
  const { now } = moment;
  const marks = chain.nodes.map((node) =>
    forks.flatMap((row) => {
      const { time, kind, text: words, short } = forkState(row, node, moment);
      const label = short === 'active' ? row.fork : `${row.fork}: ${short}`;
      return [{ fork: row.fork, time: time === null ? null : Math.max(time, moment.genesisTime), kind, words, label }];
    }),
  );
  if (marks.flat().length === 0) return null;
  const times = marks.flat().map(({ time }) => time);
  const { end, x } = scaleOf([...times, now], width);
  /** Whether a label does not fit at the right of its mark. If it does not fit at the left either, it stands below. */
  const isBefore = ({ time, label }: { readonly time: number | null; readonly label: string }) =>
    time !== null && x(time) + LETTER * label.length > end + LABEL;
  const height = chain.nodes.length * ROW + 20;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`activations on ${chain.name}`}
      style={`max-width:${width}px`}
    >
      <line class="link off" x1={x(now)} y1="14" x2={x(now)} y2={height}>
        <title>now</title>
      </line>
      <text class="small" x={x(now)} y="10" text-anchor="middle">
        now
      </text>
      {chain.nodes.map(({ name }, row) => (
        <g key={name}>
          <text x="0" y={row * ROW + 34}>
            {shortened(`${chain.name}/${name}`)}
          </text>
          <line
            class="link"
            x1={LEFT}
            y1={row * ROW + 30}
            x2={times.includes(null) ? Math.min(end + LABEL / 2, x(null) - 20) : width}
            y2={row * ROW + 30}
            opacity="0.4"
          />
          {marks[row]?.map((mark, at) => (
            <Mark
              key={mark.fork}
              {...mark}
              x={x(mark.time)}
              y={row * ROW + 30}
              isBelow={at % 2 === 1 || (isBefore(mark) && x(mark.time) - LETTER * mark.label.length < LEFT)}
              isBefore={isBefore(mark)}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

/** A fork on a node. A full circle is active, an empty one is to come or not reached, a cross never comes. */
function Mark({
  fork,
  time,
  kind,
  words,
  label,
  x,
  y,
  isBelow,
  isBefore,
}: {
  readonly fork: string;
  readonly time: number | null;
  readonly kind: string;
  readonly words: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly isBelow: boolean;
  /** Whether its label stands at its left, because it does not fit at its right. */
  readonly isBefore: boolean;
}) {
  const line = { stroke: `var(--${kind})`, 'stroke-width': '2' };
  return (
    <g>
      <title>{time === null ? `${fork}: ${words}` : `${fork} at ${clockTime(time)}: ${words}`}</title>
      {time === null ? (
        <path d={`M${x - 4} ${y - 4} L${x + 4} ${y + 4} M${x - 4} ${y + 4} L${x + 4} ${y - 4}`} {...line} />
      ) : (
        <circle cx={x} cy={y} r="5" fill={kind === 'good' ? 'var(--good)' : 'var(--back)'} {...line} />
      )}
      <text
        class={`small over ${kind === 'bad' ? 'late' : ''}`}
        x={isBefore ? x - 9 : x + 9}
        y={isBelow ? y + 17 : y - 4}
        text-anchor={isBefore ? 'end' : 'start'}
      >
        {label}
      </text>
    </g>
  );
}

const shortened = (name: string): string => (name.length > 20 ? `${name.slice(0, 19)}…` : name);
