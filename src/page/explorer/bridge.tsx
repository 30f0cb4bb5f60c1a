import { useState } from 'preact/hooks';
import type { BridgeRow } from '../../orchestrator/dashboard/bridge.ts';
import { Choice, Problem, Table, TransactionLink, type ViewProps } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';

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
                  String(row.block),
                  <Address key="from" address={row.from} />,
                  <Address key="to" address={row.to} />,
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

function Address({ address }: { readonly address: string }) {
  return (
    <span class="mono" title={address}>
      {address.length > 14 ? `${address.slice(0, 12)}…` : address}
    </span>
  );
}
