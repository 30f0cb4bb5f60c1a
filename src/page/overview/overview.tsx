import type { Picture } from '../../orchestrator/dashboard/picture-type.ts';
import { Table, type ViewProps } from '../parts/parts.tsx';
import { amount, phaseClass, text } from '../parts/values.ts';
import { problemCards } from './problem-cards.ts';
import { Topology } from './topology.tsx';

const ping = (ms: number | null): string => (ms === null ? '' : `(${ms.toFixed(1)} ms)`);

/** Heads and state of each node, a card per problem, the topology, and what happened since the page was opened. */
export function Overview({ store: { picture, events } }: ViewProps) {
  if (picture === undefined) return null;
  return (
    <>
      {!picture.isUp && (
        <p class="bad">
          the network does not run: <code>devnet start {picture.name}</code> starts it again
        </p>
      )}
      <NodeTable picture={picture} />
      <Problems picture={picture} />
      <h2>Topology</h2>
      <Topology picture={picture} />
      <h2>Batchers and proposers</h2>
      <Table
        columns={['process', 'state', '#new on L1', '#spent on them', 'last transaction']}
        empty="none runs here"
        rows={picture.chains
          .flatMap(({ posters }) => posters)
          .map(({ name, phase, posts, lastPostMs, spent }) => [
            name,
            <State key="state" phase={phase} />,
            text(posts),
            amount(spent),
            lastPostMs === null ? 'none since this page is served' : `${Math.round(lastPostMs / 1000)} s ago`,
          ])}
      />
      <p class="dim">new on L1: transactions since this page is served</p>
      <h2>Events</h2>
      <Table
        columns={['time (UTC)', 'event']}
        empty="none since this page was opened"
        rows={events.slice(0, 50).map(({ at, line, kind }) => [
          new Date(at).toISOString().slice(11, 19),
          <span key="line" class={`sentence ${/divergence|stall|ended/.test(kind) ? 'bad' : ''}`}>
            {line}
          </span>,
        ])}
      />
    </>
  );
}

function State({ phase }: { readonly phase: string }) {
  return <span class={phaseClass(phase)}>{phase}</span>;
}

/** One row for L1 and for each node of each chain: names are unique across chains. */
function NodeTable({ picture }: { readonly picture: Picture }) {
  const { l1, chains } = picture;
  const l1Phase = picture.isUp ? (l1.head === null ? 'silent' : 'ready') : 'stopped';
  return (
    <Table
      columns={['node', 'state', '#unsafe', '#safe', '#finalized', '#behind', '#blocks/s', 'role', 'peers', 'clients']}
      rows={[
        ['L1', <State key="state" phase={l1Phase} />, text(l1.head), '', '', '', '', `chain ${l1.chainId}`, '', ''],
        ...chains.flatMap((chain) =>
          chain.nodes.map((node) => [
            `${chain.name}/${node.name}`,
            <State key="state" phase={node.phase} />,
            ...[node.unsafe, node.safe, node.finalized].map(text),
            <span key="behind" class={(node.behind ?? 0) > 2 ? 'bad' : ''}>
              {text(node.behind)}
            </span>,
            node.rate === null ? '-' : node.rate.toFixed(1),
            node.role,
            node.peers.map(({ node: peer, latencyMs }) => `${peer} ${ping(latencyMs)}`).join(', ') || 'none',
            `${node.el} + ${node.cl}`,
          ]),
        ),
      ]}
    />
  );
}

function Problems({ picture }: { readonly picture: Picture }) {
  const cards = problemCards(picture);
  const { faults } = picture;
  return (
    <div class="cards">
      {picture.isUp && cards.length === 0 && <p class="good">all nodes agree</p>}
      {cards.map(({ headline, details, links }) => (
        <section key={headline} class="card" role="alert">
          <h2 class="bad broken">{headline}</h2>
          {details.map((line) => (
            <p key={line} class="dim broken">
              {line}
            </p>
          ))}
          <p class="row">
            {links.map((link) => (
              <a key={link.to} href={link.to}>
                {link.text}
              </a>
            ))}
          </p>
        </section>
      ))}
      {faults.map((line) => (
        <p key={line} class="dim" role="status">
          {line}
        </p>
      ))}
    </div>
  );
}
