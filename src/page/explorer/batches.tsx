import { useState } from 'preact/hooks';
import type { BatchRow } from '../../orchestrator/dashboard/explorer/batches.ts';
import { Copy } from '../parts/copy.tsx';
import { Choice, Problem, Table, type ViewProps } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { BlockLink, TransactionLink } from './links.tsx';

/** The newest batches on L1: frames, channels, size, compression, cost, and their L2 blocks. */
export function Batches({ store: { picture } }: ViewProps) {
  const chains = picture?.chains.map(({ name }) => name) ?? [];
  const [choice, setChain] = useState('');
  const chain = chains.includes(choice) ? choice : (chains[0] ?? '');
  const { value, error } = useView<readonly BatchRow[]>(`batches?chain=${encodeURIComponent(chain)}`, 4000);
  return (
    <>
      <div class="row">
        <Choice label="chain" words={chains} value={chain} choose={setChain} />
        <span class="dim">the newest 40; older than 120 L1 blocks when this page was opened: not searched</span>
      </div>
      {error === undefined ? (
        <Table
          columns={[
            'L1 block',
            'L2 blocks',
            'kind',
            '#transactions',
            '#bytes',
            'compression',
            'frames',
            '#cost on L1',
            'channel',
          ]}
          empty="no batch yet"
          rows={value?.map((row) => [
            row.l1Blocks.map((number) => (
              <span key={number}>
                <BlockLink chain="l1" id={number} />{' '}
              </span>
            )),
            <span key="blocks">
              <BlockLink chain={chain} id={row.firstBlock} />
              {row.firstBlock !== row.lastBlock && ' to '}
              {row.firstBlock !== row.lastBlock && <BlockLink chain={chain} id={row.lastBlock} />}
            </span>,
            row.kind,
            String(row.transactions),
            String(row.bytes),
            row.compression ?? '-',
            <span key="frames">
              {row.frames.slice(0, 6).map(({ transaction, blob }, at) => (
                <span key={String(at)}>
                  <TransactionLink hash={transaction} chain="l1" /> {blob ? 'blob ' : ''}
                </span>
              ))}
              {row.frames.length > 6 ? `and ${row.frames.length - 6} more` : ''}
            </span>,
            amount(row.cost),
            <span key="channel" class="mono" title={row.channel}>
              {row.channel.slice(0, 12)}… <Copy value={row.channel} />
            </span>,
          ])}
        />
      ) : (
        <Problem text={error} />
      )}
    </>
  );
}
