import { useState } from 'preact/hooks';
import type { BlockRow } from '../../orchestrator/dashboard/blocks.ts';
import { Choice, Lines, Problem, Table, TransactionLink, type ViewProps } from '../parts/parts.tsx';
import { useView } from '../store/store.tsx';

/** Blocks of a node, one of them decoded, or a transaction. Address: `#/blocks/CHAIN/BLOCK` or `…/CHAIN/tx/HASH`. */
export function Blocks({ store: { picture }, rest }: ViewProps) {
  const chains = ['l1', ...(picture?.chains.map(({ name }) => name) ?? [])];
  const [chain = chains[1] ?? 'l1', id, hash] = rest;
  const nodes = picture?.chains.find(({ name }) => name === chain)?.nodes ?? [];
  const [choice, setNode] = useState('');
  const node = nodes.find(({ name }) => name === choice)?.name ?? nodes[0]?.name ?? '';
  const [from, setFrom] = useState<number>();
  const place = `chain=${encodeURIComponent(chain)}${chain === 'l1' ? '' : `&node=${encodeURIComponent(node)}`}`;
  const list = useView<readonly BlockRow[]>(
    id === undefined ? `blocks?${place}&from=${from ?? ''}` : undefined,
    from === undefined ? 2000 : undefined,
  );
  if (id === 'tx') return <Transaction chain={chain} hash={hash ?? ''} />;
  if (id !== undefined) return <Block chain={chain} place={place} id={id} />;
  const rows = list.value;
  const [first, last] = [rows?.[0]?.number, rows?.at(-1)?.number];
  return (
    <>
      <div class="row">
        <Choice label="chain" words={chains} value={chain} choose={(word) => (location.hash = `#/blocks/${word}`)} />
        {nodes.length > 0 && (
          <Choice label="node" words={nodes.map(({ name }) => name)} value={node} choose={setNode} />
        )}
        <Search chain={chain} />
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
      {list.error === undefined ? (
        <Table
          columns={['#block', 'time (UTC)', 'hash', '#transactions', '#gas used']}
          empty="no block there"
          rows={rows?.map(({ number, hash: blockHash, time, transactions, gasUsed }) => [
            <a key="number" href={`#/blocks/${chain}/${number}`}>
              {number}
            </a>,
            new Date(time * 1000).toISOString().slice(11, 19),
            <span key="hash" class="mono">
              {blockHash.slice(0, 18)}…
            </span>,
            String(transactions),
            String(gasUsed),
          ])}
        />
      ) : (
        <Problem text={list.error} />
      )}
    </>
  );
}

function Search({ chain }: { readonly chain: string }) {
  const [word, setWord] = useState('');
  const go = (event: Event) => {
    event.preventDefault();
    location.hash = /^0x/.test(word) ? `#/blocks/${chain}/tx/${word}` : `#/blocks/${chain}/${word}`;
  };
  return (
    <form onSubmit={go}>
      <input
        aria-label="number of a block or hash of a transaction"
        placeholder="block or 0x… of a transaction"
        value={word}
        onInput={({ currentTarget }) => setWord(currentTarget.value.trim())}
      />
      <button type="submit" disabled={word === ''}>
        show
      </button>
    </form>
  );
}

interface Decoded {
  readonly lines: readonly string[];
  readonly transactions: readonly string[];
}

function Block({ chain, place, id }: { readonly chain: string; readonly place: string; readonly id: string }) {
  const { value, error } = useView<Decoded>(`block?${place}&id=${encodeURIComponent(id)}`);
  const number = Number(id);
  return (
    <>
      <div class="row">
        <a href={`#/blocks/${chain}`}>all blocks</a>
        {number > 0 && <a href={`#/blocks/${chain}/${number - 1}`}>block {number - 1}</a>}
        {Number.isSafeInteger(number) && <a href={`#/blocks/${chain}/${number + 1}`}>block {number + 1}</a>}
      </div>
      <Lines value={value} error={error} />
      <div class="row">
        {value?.transactions.map((hash) => (
          <TransactionLink key={hash} hash={hash} chain={chain} />
        ))}
      </div>
    </>
  );
}

function Transaction({ chain, hash }: { readonly chain: string; readonly hash: string }) {
  const [traced, setTraced] = useState(false);
  const view = useView<Decoded>(`tx?hash=${encodeURIComponent(hash)}${traced ? '&trace=yes' : ''}`);
  return (
    <>
      <div class="row">
        <a href={`#/blocks/${chain}`}>all blocks</a>
        <button type="button" disabled={traced} onClick={() => setTraced(true)}>
          trace
        </button>
      </div>
      <Lines value={view.value} error={view.error} />
    </>
  );
}
