import { useState } from 'preact/hooks';
import type { BridgeRow } from '../../orchestrator/dashboard/explorer/bridge.ts';
import { Choice, Problem, Table, type ViewProps } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { AddressLink, BlockLink, TransactionLink } from './links.tsx';

/** Deposits and withdrawals with their stage. */
export function Bridge({ store: { picture } }: ViewProps) {
  const chains = picture?.chains.map(({ name }) => name) ?? [];
  const [choice, setChain] = useState('');
  const chain = chains.includes(choice) ? choice : (chains[0] ?? '');
  const { value, error } = useView<readonly BridgeRow[]>(`bridge?chain=${encodeURIComponent(chain)}`, 3000);
  const tables = [
    ['Deposits', 'deposit', 'l1'],
    ['Withdrawals', 'withdrawal', chain],
  ] as const;
  return (
    <>
      <Choice label="chain" words={chains} value={chain} choose={setChain} />
      {error !== undefined && <Problem text={error} />}
      {error === undefined &&
        tables.map(([title, kind, place]) => (
          <section key={kind}>
            <h2>{title}</h2>
            <Table
              columns={[
                'transaction',
                kind === 'deposit' ? '#L1 block' : '#L2 block',
                'from',
                'to',
                '#value',
                'stage',
                'on L2',
              ]}
              empty={`no ${kind} yet`}
              rows={value
                ?.filter((row) => row.kind === kind)
                .map((row) => [
                  <TransactionLink key="tx" hash={row.transaction} chain={place} />,
                  <BlockLink key="block" chain={place} id={row.block} />,
                  <AddressLink key="from" chain={place} party={{ address: row.from, name: null }} />,
                  <AddressLink
                    key="to"
                    chain={kind === 'deposit' ? chain : 'l1'}
                    party={{ address: row.to, name: null }}
                  />,
                  amount(row.value),
                  row.stage,
                  row.onL2 === null ? '' : <TransactionLink key="l2" hash={row.onL2} chain={chain} />,
                ])}
            />
          </section>
        ))}
    </>
  );
}
