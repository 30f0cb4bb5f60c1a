import type { PictureChain } from '../orchestrator/dashboard/picture-type.ts';
import { clockTime, Table, useWidth, type ViewProps } from './parts.tsx';

/** The fork timeline of each chain: activations per node. */
export function Forks({ store: { picture } }: ViewProps) {
  if (picture === undefined) return null;
  const now = picture.clock.at / 1000;
  return (
    <>
      {picture.chains.map((chain) => (
        <section key={chain.name}>
          <h2>{chain.name}</h2>
          <Timeline chain={chain} now={now} />
          <Table
            columns={['fork', 'activates', 'in', '#block', ...chain.nodes.map(({ name }) => name)]}
            rows={chain.forks.map(({ fork, at, secondsToGo, block, nodes, overrides }) => [
              fork,
              at ?? 'never',
              secondsToGo === null ? '-' : secondsToGo === 0 ? 'past' : `${secondsToGo} s`,
              block === null ? '-' : String(block),
              ...chain.nodes.map(({ name }) => {
                const state = nodes[name] ?? 'unknown';
                const override = overrides[name];
                const other =
                  override === undefined ? '' : override === null ? ' (never)' : ` (${clockTime(override)})`;
                return (
                  <span key={name} class={override !== undefined ? 'bad' : state === 'active' ? 'good' : ''}>
                    {state}
                    {other}
                  </span>
                );
              }),
            ])}
          />
        </section>
      ))}
    </>
  );
}

const LEFT = 110;
const ROW = 40;

/** Draws each activation after the genesis at its time, a line for each node. */
function Timeline({ chain, now }: { readonly chain: PictureChain; readonly now: number }) {
  const width = Math.min(1000, useWidth());
  const marks = chain.forks.flatMap(({ fork, time, block, overrides }) =>
    chain.nodes.flatMap(({ name }) => {
      const activation = overrides[name] === undefined ? time : overrides[name];
      return activation == null || (block === 0 && overrides[name] === undefined)
        ? []
        : [{ fork, node: name, time: activation }];
    }),
  );
  if (marks.length === 0) return <p class="dim">all forks are active from the genesis on</p>;
  const times = [...marks.map(({ time }) => time), now];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) => LEFT + ((time - first) / Math.max(1, last - first)) * (width - LEFT - 70);
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
            {name.length > 15 ? `${name.slice(0, 14)}…` : name}
          </text>
          <line class="link" x1={LEFT} y1={row * ROW + 30} x2={width} y2={row * ROW + 30} opacity="0.4" />
          {marks
            .filter(({ node }) => node === name)
            .map(({ fork, time }, at) => (
              <g key={fork}>
                <circle cx={x(time)} cy={row * ROW + 30} r="5" fill={time <= now ? 'var(--good)' : 'var(--dim)'}>
                  <title>{`${fork} at ${clockTime(time)}`}</title>
                </circle>
                <text class="small" x={x(time) + 8} y={row * ROW + (at % 2 === 0 ? 26 : 42)}>
                  {fork}
                </text>
              </g>
            ))}
        </g>
      ))}
    </svg>
  );
}
