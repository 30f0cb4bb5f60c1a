import { useState } from 'preact/hooks';
import type { BlockView } from '../../orchestrator/inspect/block.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copyable } from '../parts/copy.tsx';
import { Problem, Reading, Table } from '../parts/parts.tsx';
import { amount, plainText } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { CarrierText } from './carrier.tsx';
import { Facts } from './facts.tsx';
import { AddressLink, Badge, BlockHash, TransactionLink } from './links.tsx';
import { Waterfall } from './waterfall.tsx';

/** Time (ms) between two reads of a block that is not final yet: a batch carries it meanwhile. */
const EVERY_MS = 3000;
const isFinal = ({ state }: BlockView): boolean => state === 'finalized';

/** Transactions of one page. The server gives as many. */
const PAGE_ROWS = 100;

/** A block with its transactions, a hundred at a time. `place`: the parameters that name the node. */
export function Block({ chain, place, id }: { readonly chain: string; readonly place: string; readonly id: string }) {
  const [from, setFrom] = useState(0);
  const query = `block?${place}&id=${encodeURIComponent(id)}&from=${from}`;
  const { value, error } = useView<BlockView>(query, EVERY_MS, isFinal);
  if (error !== undefined) return <Problem text={error} />;
  if (value === undefined) return <Reading />;
  const { number, origin, carrier, transactionCount: count } = value;
  const base = `#/blocks/${encodeURIComponent(chain)}`;
  return (
    <>
      <div class="row">
        <h2>
          Block {digitGroups(number)} of {value.place}
        </h2>
        <Badge state={value.state} />
        {value.activates.map((fork) => (
          <span key={fork} class="badge fork">
            first block of {fork}
          </span>
        ))}
        {number > 0 && <a href={`${base}/${number - 1}`}>previous</a>}
        <a href={`${base}/${number + 1}`}>next</a>
      </div>
      <Facts
        rows={[
          ['hash', <Copyable key="hash" value={value.hash} />],
          ['parent', number === 0 ? null : <BlockHash key="parent" chain={chain} hash={value.parentHash} isWhole />],
          ['time', `${value.at.replace('T', ' ').replace('Z', ' UTC')} (${value.time})`],
          ['gas', `${digitGroups(value.gasUsed)} of ${digitGroups(value.gasLimit)}`],
          ['base fee', value.baseFee === null ? null : amount(value.baseFee)],
          ['extra data', value.extraData === '0x' ? null : <span class="mono broken">{value.extraData}</span>],
          [
            'L1 origin',
            origin === null ? null : (
              <>
                <a href={`#/blocks/l1/${origin.number}`}>{digitGroups(origin.number)}</a>, sequence number{' '}
                {origin.sequenceNumber}, <BlockHash chain="l1" hash={origin.hash} />
              </>
            ),
          ],
          ['batch', carrier === null ? null : <CarrierText carrier={carrier} />],
        ]}
      />
      <Waterfall hash={value.hash} />
      <h2>
        {digitGroups(count)} transaction{count === 1 ? '' : 's'}
      </h2>
      {count > PAGE_ROWS && (
        <div class="row">
          <button type="button" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - PAGE_ROWS))}>
            previous {PAGE_ROWS}
          </button>
          <button type="button" disabled={from + PAGE_ROWS >= count} onClick={() => setFrom(from + PAGE_ROWS)}>
            next {PAGE_ROWS}
          </button>
          <span class="dim">
            {digitGroups(from)} to {digitGroups(Math.min(count, from + PAGE_ROWS) - 1)}
          </span>
        </div>
      )}
      <Table
        columns={['#index', 'transaction', 'type', 'from', 'to', 'call', '#value', '#gas used', 'status']}
        empty="none"
        rows={value.transactions.map((row) => [
          String(row.index),
          <TransactionLink key="hash" chain={chain} hash={row.hash} />,
          row.kind,
          <AddressLink key="from" chain={chain} party={row.from} />,
          row.to === null ? 'new contract' : <AddressLink key="to" chain={chain} party={row.to} />,
          plainText(row.call?.name ?? row.selector ?? ''),
          row.value === '0' ? '' : amount(row.value),
          row.gasUsed === null ? '' : digitGroups(row.gasUsed),
          row.status === null ? '' : <Badge key="status" state={row.status} />,
        ])}
      />
    </>
  );
}
