import { amount, phaseClass, Table, text, type ViewProps } from './parts.tsx';
import { Topology } from './topology.tsx';

const ping = (ms: number | null): string => (ms === null ? '' : `(${ms.toFixed(1)} ms)`);

/** The topology, the nodes of each chain, and what has happened since the page was opened. */
export function Overview({ store: { picture, events } }: ViewProps) {
  if (picture === undefined) return null;
  const { problems, faults, divergences, chains } = picture;
  return (
    <>
      {problems.map(({ subject, what, because }) => (
        <p key={subject} class="bad" role="alert">
          {subject}: {what}
          {because === null ? '' : ` (${because.slice(0, 400)})`}
        </p>
      ))}
      {faults.map((line) => (
        <p key={line} class="dim" role="status">
          {line}
        </p>
      ))}
      {!picture.isUp && (
        <p class="bad">
          the network does not run: <code>devnet start {picture.name}</code> starts it again
        </p>
      )}
      {picture.isUp && divergences.length === 0 && problems.length === 0 && <p class="good">all nodes agree</p>}
      <Topology picture={picture} />
      {chains.map((chain) => (
        <section key={chain.name}>
          <h2>
            {chain.name} <span class="dim">chain {chain.chainId}</span>
          </h2>
          <Table
            columns={[
              'node',
              'phase',
              '#unsafe',
              '#safe',
              '#finalized',
              '#behind',
              '#blocks/s',
              'peers',
              'clients',
              'RPC',
            ]}
            rows={chain.nodes.map((node) => [
              `${node.name}${node.role === 'sequencer' ? ' (sequencer)' : ''}`,
              <span key="phase" class={phaseClass(node.phase)}>
                {node.phase}
              </span>,
              ...[node.unsafe, node.safe, node.finalized, node.behind].map(text),
              node.rate === null ? '-' : node.rate.toFixed(1),
              node.peers.map(({ node: peer, latencyMs }) => `${peer} ${ping(latencyMs)}`).join(', ') || 'none',
              `${node.el} + ${node.cl}`,
              <span key="rpc" class="mono">
                {node.http}
              </span>,
            ])}
          />
          {chain.posters.map(({ name, phase, posts, lastPostMs, spent }) => (
            <p key={name}>
              {name} <span class={phaseClass(phase)}>{phase}</span>{' '}
              <span class="dim">
                {lastPostMs === null ? 'no transaction yet' : `last transaction ${Math.round(lastPostMs / 1000)} s ago`}
                ; {posts} on L1 for {amount(spent)} since this page is served
              </span>
            </p>
          ))}
        </section>
      ))}
      <h2>Events</h2>
      <Table
        columns={['time (UTC)', 'event']}
        empty="none since this page was opened"
        rows={events.slice(0, 50).map(({ at, line, kind }) => [
          new Date(at).toISOString().slice(11, 19),
          <span key="line" class={/divergence|stall|ended/.test(kind) ? 'bad' : ''}>
            {line}
          </span>,
        ])}
      />
    </>
  );
}
