import type { Picture, PictureChain, PictureNode } from '../orchestrator/dashboard/picture-type.ts';
import { text, useWidth } from './parts.tsx';

const BOX = { width: 160, height: 62 };
const ROW = 110;
/** Width (px) of a drawing with three nodes in a row, and with two. */
const [WIDE, NARROW] = [720, 366];
/** Nodes of a chain that are drawn; the table has them all. */
const MAX_DRAWN_NODES = 24;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Draws L1, the chains' nodes, batcher and proposer, with their links. */
export function Topology({ picture }: { readonly picture: Picture }) {
  const { l1, chains } = picture;
  const width = useWidth() < WIDE ? NARROW : WIDE;
  const l1Place = { x: width / 2, y: 36 };
  let top = ROW + 20;
  const layout = chains.map((chain) => {
    const rows = Math.ceil(Math.min(MAX_DRAWN_NODES, chain.nodes.length) / inRow(width));
    const entry = { chain, top };
    top += ROW * (rows + 1);
    return entry;
  });
  return (
    <svg
      viewBox={`0 0 ${width} ${top + 6}`}
      role="img"
      aria-label="topology of the network"
      style={`max-width:${width}px`}
    >
      {layout.map(({ chain, top: y }) => (
        <ChainGraph key={chain.name} chain={chain} top={y} l1={l1Place} width={width} />
      ))}
      <Box
        place={l1Place}
        title="L1"
        lines={[`block ${text(l1.head)}`, `chain ${l1.chainId}`]}
        isBad={l1.head === null}
      />
    </svg>
  );
}

function ChainGraph({
  chain,
  top,
  l1,
  width,
}: {
  readonly chain: PictureChain;
  readonly top: number;
  readonly l1: Place;
  readonly width: number;
}) {
  const posters = chain.posters.map((poster, at) => ({ poster, place: { x: at === 0 ? 90 : width - 90, y: top } }));
  const nodes = chain.nodes.slice(0, MAX_DRAWN_NODES);
  const places = new Map(nodes.map((node, at) => [node.name, placeOf(at, nodes.length, top + ROW, width)]));
  const pairs = nodes.flatMap((a, at) => nodes.slice(at + 1).map((b) => [a, b] as const));
  return (
    <g>
      {nodes.map(({ name, cl, phase }) => {
        const to = places.get(name) ?? l1;
        return (
          <Link
            key={`l1 ${name}`}
            from={l1}
            via={to.y - ROW / 2}
            to={to}
            isUp={phase === 'ready'}
            title={`${cl} of ${name} reads L1`}
          />
        );
      })}
      {posters.map(({ poster, place }) => (
        <Link
          key={poster.name}
          from={place}
          to={l1}
          isUp={poster.phase === 'ready'}
          title={`${poster.name} posts to L1`}
        />
      ))}
      {pairs.map(([a, b]) => (
        <PeerLink
          key={`${a.name} ${b.name}`}
          a={a}
          b={b}
          from={places.get(a.name) ?? l1}
          to={places.get(b.name) ?? l1}
          hasText={width === WIDE}
        />
      ))}
      {posters.map(({ poster, place }) => (
        <Box
          key={poster.name}
          place={place}
          title={poster.name}
          lines={[poster.phase, `${poster.posts} transactions on L1`]}
          isBad={poster.phase !== 'ready'}
        />
      ))}
      {nodes.map((node) => (
        <Box
          key={node.name}
          place={places.get(node.name) ?? l1}
          title={node.role === 'sequencer' && node.name !== node.role ? `${node.name} (sequencer)` : node.name}
          lines={[node.phase === 'ready' ? `unsafe ${text(node.unsafe)}` : node.phase, `${node.cl}, ${node.el}`]}
          isBad={node.phase !== 'ready'}
        />
      ))}
    </g>
  );
}

const inRow = (width: number): number => (width === WIDE ? 3 : 2);

function placeOf(at: number, count: number, top: number, width: number): Place {
  const most = inRow(width);
  const row = Math.floor(at / most);
  const columns = Math.min(most, count - row * most);
  return { x: (width * ((at % most) + 0.5)) / columns, y: top + row * ROW };
}

function PeerLink({
  a,
  b,
  from,
  to,
  hasText,
}: {
  readonly a: PictureNode;
  readonly b: PictureNode;
  readonly from: Place;
  readonly to: Place;
  /** Whether the time stands beside the link. In a small picture only the table of the nodes has it. */
  readonly hasText: boolean;
}) {
  const link = a.peers.find(({ node }) => node === b.name) ?? b.peers.find(({ node }) => node === a.name);
  if (link === undefined) return null;
  // Links of one row bend below the boxes between their ends.
  const depth = from.y === to.y ? 48 + Math.abs(from.x - to.x) / 12 : 0;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + depth };
  return (
    <g>
      <path class="link" d={`M${from.x} ${from.y} Q${middle.x} ${middle.y + depth / 2} ${to.x} ${to.y}`}>
        <title>{`${a.name} and ${b.name} are peers; round trip of a ping`}</title>
      </path>
      {hasText && (
        <text class="small" x={middle.x} y={middle.y + 4} text-anchor="middle">
          {link.latencyMs === null ? 'peers' : `ping ${link.latencyMs.toFixed(1)} ms`}
        </text>
      )}
    </g>
  );
}

/** A line. `via`: the height down to which it is vertical, past the boxes in between. */
function Link({
  from,
  via = from.y,
  to,
  isUp,
  title,
}: {
  readonly from: Place;
  readonly via?: number;
  readonly to: Place;
  readonly isUp: boolean;
  readonly title: string;
}) {
  return (
    <path class={isUp ? 'link' : 'link off'} d={`M${from.x} ${from.y} V${via} L${to.x} ${to.y}`}>
      <title>{title}</title>
    </path>
  );
}

function Box({
  place,
  title,
  lines,
  isBad,
}: {
  readonly place: Place;
  readonly title: string;
  readonly lines: readonly string[];
  readonly isBad: boolean;
}) {
  const { width, height } = BOX;
  const cut = (word: string) => (word.length > 28 ? `${word.slice(0, 27)}…` : word);
  return (
    <g>
      <rect
        class={isBad ? 'box bad' : 'box'}
        x={place.x - width / 2}
        y={place.y - height / 2}
        width={width}
        height={height}
        rx="6"
      />
      <text x={place.x} y={place.y - 10} text-anchor="middle" font-weight="600">
        {cut(title)}
      </text>
      {lines.map((line, at) => (
        <text key={line} class="small" x={place.x} y={place.y + 7 + at * 14} text-anchor="middle">
          {cut(line)}
        </text>
      ))}
    </g>
  );
}
