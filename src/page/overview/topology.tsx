import type { Picture, PictureChain, PictureNode } from '../../orchestrator/dashboard/picture-type.ts';
import { useWidth } from '../parts/parts.tsx';
import { phaseClass, text } from '../parts/values.ts';

const BOX_HEIGHT = 62;
/** Width (px) of a box, and of one in a narrow window. Two stand beside each other there. */
const [WIDE_BOX, NARROW_BOX] = [168, 148];
const NARROW = 420;
const GAP = 16;
/** Heights (px) of the bar of L1, of a lane's title, and of the lines above and below a row. */
const [BAR, TITLE, ABOVE, BELOW] = [40, 28, 18, 30];
const ROW = ABOVE + BOX_HEIGHT + BELOW;
/** Left edge (px) of the lanes. The line from L1 to all lanes is drawn beside them. */
const LANE_LEFT = 22;
/** Nodes of a chain that are drawn; the table has them all. */
const MAX_DRAWN_NODES = 24;

/** A box of a lane: a process that posts to L1, or a node. */
interface Item {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isBad: boolean;
  readonly link: string;
  /** Whether it takes part in gossip, and with which peers. */
  readonly peers?: PictureNode['peers'];
}

/** Draws L1 as a bar and each chain as a lane below it. Lines run between boxes, never through one. */
export function Topology({ picture }: { readonly picture: Picture }) {
  const { l1, chains } = picture;
  const width = useWidth();
  const laneWidth = width - LANE_LEFT - GAP;
  const columns = Math.max(1, Math.floor(laneWidth / ((width < NARROW ? NARROW_BOX : WIDE_BOX) + GAP)));
  let top = BAR + GAP;
  const lanes = chains.map((chain) => {
    const items = itemsOf(chain);
    const rows = Array.from({ length: Math.ceil(items.length / columns) }, (_, row) =>
      items.slice(row * columns, (row + 1) * columns),
    );
    const lane = { chain, rows, top };
    top += TITLE + rows.length * ROW + GAP;
    return lane;
  });
  const last = lanes.at(-1);
  const end = last === undefined ? BAR : last.top + TITLE + Math.max(0, last.rows.length - 1) * ROW;
  return (
    <svg viewBox={`0 0 ${width} ${top}`} role="img" aria-label="topology of the network" style={`max-width:${width}px`}>
      <rect class={l1.head === null ? 'box bad' : 'box'} x="1" y="1" width={width - 2} height={BAR - 2} rx="6" />
      <text x={width / 2} y={BAR / 2 + 4} text-anchor="middle">
        <tspan font-weight="600">L1</tspan>
        {` block ${text(l1.head)}, chain ${l1.chainId}`}
      </text>
      <path class="link" d={`M8 ${BAR} V${end}`} />
      {lanes.map((lane) => (
        <Lane key={lane.chain.name} {...lane} width={width} laneWidth={laneWidth} columns={columns} />
      ))}
    </svg>
  );
}

function itemsOf({ name: chain, posters, nodes }: PictureChain): readonly Item[] {
  return [
    ...nodes.slice(0, MAX_DRAWN_NODES).map(({ name, role, phase, unsafe, cl, el, peers }) => ({
      title: `${chain}/${name}`,
      lines: [
        phase === 'ready' ? `${role}, unsafe ${text(unsafe)}` : `${phase}, unsafe ${text(unsafe)}`,
        `${cl}, ${el}`,
      ],
      ...{ isBad: phaseClass(phase) === 'bad', link: `${cl} of ${chain}/${name} reads L1`, peers },
    })),
    ...posters.map(({ name, phase, posts }) => ({
      ...{
        title: name,
        lines: [phase, `${text(posts)} new on L1`],
        isBad: phaseClass(phase) === 'bad',
      },
      link: `${name} posts to L1`,
    })),
  ];
}

function Lane({
  chain,
  rows,
  top,
  width,
  laneWidth,
  columns,
}: {
  readonly chain: PictureChain;
  readonly rows: readonly (readonly Item[])[];
  readonly top: number;
  readonly width: number;
  /** Width (px) for boxes, and how many stand beside each other. */
  readonly laneWidth: number;
  readonly columns: number;
}) {
  // All rows of a lane have boxes of one width, which fill it.
  const boxWidth = laneWidth / Math.min(columns, Math.max(1, ...rows.map((items) => items.length))) - GAP;
  return (
    <g>
      <rect
        class="lane"
        x={LANE_LEFT}
        y={top}
        width={width - LANE_LEFT - 1}
        height={TITLE + rows.length * ROW}
        rx="6"
      />
      <text x={LANE_LEFT + GAP} y={top + 18}>
        <tspan font-weight="600">{chain.name}</tspan>
        {` chain ${chain.chainId}`}
      </text>
      {rows.map((items, row) => (
        <Row key={String(row)} items={items} top={top + TITLE + row * ROW} boxWidth={boxWidth} />
      ))}
    </g>
  );
}

/** A row of boxes: above it the line to L1, below it the line of the gossip between nodes. */
function Row({
  items,
  top,
  boxWidth,
}: {
  readonly items: readonly Item[];
  readonly top: number;
  readonly boxWidth: number;
}) {
  const xOf = (at: number): number => LANE_LEFT + GAP + at * (boxWidth + GAP) + boxWidth / 2;
  const boxTop = top + ABOVE;
  const gossip = boxTop + BOX_HEIGHT + 12;
  const connected = items.flatMap(({ peers }, at) => (peers !== undefined && peers.length > 0 ? [at] : []));
  const pings = items.flatMap(({ peers = [] }) => peers.flatMap(({ latencyMs }) => latencyMs ?? []));
  const [first, last] = [connected[0], connected.at(-1)];
  return (
    <g>
      <path class="link" d={`M8 ${top} H${xOf(items.length - 1)}`} />
      {items.map(({ title, link, isBad }, at) => (
        <path key={title} class={isBad ? 'link off' : 'link'} d={`M${xOf(at)} ${top} V${boxTop}`}>
          <title>{link}</title>
        </path>
      ))}
      {first !== undefined && last !== undefined && first < last && (
        <g>
          <path class="link gossip" d={`M${xOf(first)} ${gossip} H${xOf(last)}`} />
          {connected.map((at) => (
            <path key={String(at)} class="link gossip" d={`M${xOf(at)} ${boxTop + BOX_HEIGHT} V${gossip}`}>
              <title>{`peers of ${items[at]?.title}: ${items[at]?.peers?.map(({ node }) => node).join(', ')}`}</title>
            </path>
          ))}
          <text class="small" x={xOf(first) + 6} y={gossip + 12}>
            gossip{pings.length === 0 ? '' : `, ping ${range(pings)} ms`}
          </text>
        </g>
      )}
      {items.map((item, at) => (
        <Box key={item.title} item={item} x={xOf(at)} y={boxTop} width={boxWidth} />
      ))}
    </g>
  );
}

function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values).toFixed(0), Math.max(...values).toFixed(0)];
  return low === high ? low : `${low} to ${high}`;
}

function Box({
  item,
  x,
  y,
  width,
}: {
  readonly item: Item;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}) {
  const { title, lines, isBad } = item;
  const cut = (word: string) => (word.length > 28 ? `${word.slice(0, 27)}…` : word);
  return (
    <g>
      <rect class={isBad ? 'box bad' : 'box'} x={x - width / 2} y={y} width={width} height={BOX_HEIGHT} rx="6" />
      <text x={x} y={y + 20} text-anchor="middle" font-weight="600">
        {cut(title)}
      </text>
      {lines.map((line, at) => (
        <text key={line} class="small" x={x} y={y + 38 + at * 14} text-anchor="middle">
          {cut(line)}
        </text>
      ))}
    </g>
  );
}
