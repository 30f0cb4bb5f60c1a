import { useState } from 'preact/hooks';
import type { AddressView } from '../../orchestrator/dashboard/explorer/address.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Problem, Reading, Table } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { Facts } from './facts.tsx';
import { AddressLink, BlockLink, TransactionLink } from './links.tsx';

/** Time (ms) between two reads, and while older blocks are still read. */
const [SLOW_MS, FAST_MS] = [3000, 300];

/** An address: balance, nonce, code, a storage slot, and its transactions of the newest blocks. */
export function Address({
  chain,
  place,
  address,
}: {
  readonly chain: string;
  readonly place: string;
  readonly address: string;
}) {
  const [slot, setSlot] = useState('0x0');
  const query = `address?${place}&address=${encodeURIComponent(address)}&slot=${encodeURIComponent(slot)}`;
  const [last, setLast] = useState<AddressView>();
  const { value, error } = useView<AddressView>(query, last?.isComplete === true ? SLOW_MS : FAST_MS);
  if (value !== undefined && value !== last) setLast(value);
  if (error !== undefined) return <Problem text={error} />;
  // While another slot is read, the rest stays in sight.
  const view = value ?? last;
  if (view === undefined || view.address.toLowerCase() !== address.toLowerCase()) return <Reading />;
  return (
    <>
      <h2>Address on {view.place}</h2>
      <Facts
        rows={[
          ['address', <AddressLink key="address" chain={chain} party={view} isWhole />],
          ['balance', amount(view.balance)],
          ['nonce', digitGroups(view.nonce)],
          ['code', view.codeBytes === 0 ? 'none: an account' : `${digitGroups(view.codeBytes)} bytes: a contract`],
          [
            'storage',
            view.codeBytes === 0 ? null : (
              <span class="row">
                <label>
                  slot{' '}
                  <input
                    size={12}
                    value={slot}
                    onChange={({ currentTarget }) => setSlot(currentTarget.value.trim() || '0x0')}
                  />
                </label>
                <span class="mono broken">{view.storage ?? 'expected a number or 0x…'}</span>
              </span>
            ),
          ],
        ]}
      />
      <h2>Transactions</h2>
      <p class="dim">
        from block {digitGroups(view.searchedFrom)} on, the newest first
        {view.isComplete ? '' : '; older ones are still being read'}
      </p>
      <Table
        columns={['#block', 'transaction', 'from', 'to', '#value']}
        empty="none there"
        rows={view.transactions.map(({ block, hash, from, to, value: wei, creates }) => [
          <BlockLink key="block" chain={chain} id={block} />,
          <TransactionLink key="hash" chain={chain} hash={hash} />,
          <AddressLink key="from" chain={chain} party={from} />,
          creates || to === null ? 'new contract' : <AddressLink key="to" chain={chain} party={to} />,
          wei === '0' ? '' : amount(wei),
        ])}
      />
    </>
  );
}
