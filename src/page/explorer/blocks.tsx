import { useState } from 'preact/hooks';
import type { BlockRow } from '../../orchestrator/dashboard/explorer/blocks.ts';
import type { PictureChain } from '../../orchestrator/dashboard/picture-type.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Choice, Problem, Table, type ViewProps } from '../parts/parts.tsx';
import { clockTime } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { Address } from './address.tsx';
import { Block } from './block.tsx';
import { Badge, BlockHash, BlockLink } from './links.tsx';
import { forksAt, stateOfBlock } from './marks.ts';
import { Search } from './search.tsx';
import { Transaction } from './transaction.tsx';

/** Blocks of a node or of L1. Addresses: `#/blocks/CHAIN`, and below it `BLOCK`, `tx/HASH` and `address/ADDRESS`. */
export function Blocks({ store: { picture }, rest }: ViewProps) {
  const chains = ['l1', ...(picture?.chains.map(({ name }) => name) ?? [])];
  const [chain = chains[1] ?? 'l1', id, key = ''] = rest;
  const view = picture?.chains.find(({ name }) => name === chain);
  const nodes = view?.nodes ?? [];
  const [choice, setNode] = useState('');
  const node = nodes.find(({ name }) => name === choice) ?? nodes.find(({ role }) => role === 'sequencer') ?? nodes[0];
  if (!chains.includes(chain)) return <Problem text={`unknown chain ${chain}: expected one of ${chains.join(', ')}`} />;
  const place = new URLSearchParams({ chain, ...(node === undefined ? {} : { node: node.name }) }).toString();
  return (
    <>
      <div class="row">
        <Choice
          label="chain"
          words={chains}
          value={chain}
          choose={(word) => (location.hash = `#/blocks/${encodeURIComponent(word)}`)}
        />
        {node !== undefined && (
          <Choice label="node" words={nodes.map(({ name }) => name)} value={node.name} choose={setNode} />
        )}
        <a href={`#/blocks/${encodeURIComponent(chain)}`}>all blocks</a>
        <Search chain={chain} />
      </div>
      {id === undefined && <List key={place} chain={chain} place={place} view={view} node={node} />}
      {id === 'tx' && <Transaction key={key} hash={key} />}
      {id === 'address' && <Address key={key} chain={chain} place={place} address={key} />}
      {id !== undefined && id !== 'tx' && id !== 'address' && <Block key={id} chain={chain} place={place} id={id} />}
    </>
  );
}

function List({
  chain,
  place,
  view,
  node,
}: {
  readonly chain: string;
  readonly place: string;
  readonly view: PictureChain | undefined;
  readonly node: PictureChain['nodes'][number] | undefined;
}) {
  const [from, setFrom] = useState<number>();
  const { value: rows, error } = useView<readonly BlockRow[]>(
    `blocks?${place}&from=${from ?? ''}`,
    from === undefined ? 2000 : undefined,
  );
  const [first, last] = [rows?.[0]?.number, rows?.at(-1)?.number];
  return (
    <>
      <div class="row">
        <button type="button" disabled={from === undefined} onClick={() => setFrom(undefined)}>
          newest
        </button>
        <button type="button" disabled={from === undefined} onClick={() => setFrom((first ?? 0) + 25)}>
          newer
        </button>
        <button type="button" disabled={!last} onClick={() => setFrom(Math.max(0, (last ?? 1) - 1))}>
          older
        </button>
      </div>
      {error === undefined ? (
        <Table
          columns={['#block', 'state', 'time (UTC)', 'hash', '#transactions', '#gas used', '#of the limit']}
          empty="no block there"
          rows={rows?.map(({ number, hash, time, transactions, gasUsed, gasLimit }, at) => [
            <BlockLink key="number" chain={chain} id={number} />,
            <span key="state">
              {node !== undefined && <Badge state={stateOfBlock(number, node)} />}
              {view !== undefined &&
                node !== undefined &&
                forksAt(view, node.name, time, rows[at + 1]?.time).map((fork) => (
                  <span key={fork} class="badge fork">
                    {fork}
                  </span>
                ))}
            </span>,
            clockTime(time),
            <BlockHash key="hash" chain={chain} hash={hash} />,
            digitGroups(transactions),
            digitGroups(gasUsed),
            `${((gasUsed / Math.max(1, gasLimit)) * 100).toFixed(1)} %`,
          ])}
        />
      ) : (
        <Problem text={error} />
      )}
    </>
  );
}
