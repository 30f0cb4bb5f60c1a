import type { BridgeRow } from '../../orchestrator/dashboard/explorer/bridge.ts';
import { Choice, Problem, Table, type ViewProps } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { AddressLink, BlockLink, MessageLink, TransactionLink } from './links.tsx';
import { Message } from './message.tsx';
import { Search } from './search.tsx';

/** Deposits and withdrawals with their stage. Addresses: `#/bridge/CHAIN`, and below it `KIND/ID` of a message. */
export function Bridge({ store: { picture }, rest }: ViewProps) {
  const chains = picture?.chains.map(({ name }) => name) ?? [];
  const [chain = chains[0] ?? '', kind, id] = rest;
  if (!chains.includes(chain)) return <Problem text={`unknown chain ${chain}: expected one of ${chains.join(', ')}`} />;
  if (kind !== undefined && id !== undefined) return <Message key={id} chain={chain} kind={kind} id={id} />;
  return <Messages chains={chains} chain={chain} />;
}

/** The newest messages of a chain. */
function Messages({ chains, chain }: { readonly chains: readonly string[]; readonly chain: string }) {
  const { value, error } = useView<readonly BridgeRow[]>(`bridge?chain=${encodeURIComponent(chain)}`, 3000);
  const tables = [
    ['Deposits', 'deposit'],
    ['Withdrawals', 'withdrawal'],
  ] as const;
  return (
    <>
      <div class="row">
        <Choice
          label="chain"
          words={chains}
          value={chain}
          choose={(word) => (location.hash = `#/bridge/${encodeURIComponent(word)}`)}
        />
        <Search chain={chain} />
      </div>
      {error !== undefined && <Problem text={error} />}
      {error === undefined &&
        tables.map(([title, kind]) => (
          <section key={kind}>
            <h2>{title}</h2>
            <BridgeTable
              rows={value?.filter((row) => row.kind === kind)}
              kind={kind}
              empty={`no ${kind} in the last 5,000 blocks`}
            />
          </section>
        ))}
    </>
  );
}

/** Withdrawals that a transaction initiated, proved or finalized, with their other transactions. */
export function WithdrawalsIn({ transaction }: { readonly transaction: string }) {
  const { value, error } = useView<readonly BridgeRow[]>(`withdrawals?tx=${encodeURIComponent(transaction)}`, 3000);
  if (error !== undefined) return <Problem text={error} />;
  return <BridgeTable kind="withdrawal" rows={value} empty="not in the last 5,000 blocks" />;
}

function BridgeTable({
  kind,
  rows,
  empty,
}: {
  readonly kind: BridgeRow['kind'];
  readonly rows: readonly BridgeRow[] | undefined;
  readonly empty: string;
}) {
  const isDeposit = kind === 'deposit';
  const first = [kind, 'transaction', isDeposit ? '#L1 block' : '#L2 block', 'from', 'to', '#value', 'stage'];
  return (
    <Table
      columns={[...first, ...(isDeposit ? ['on L2'] : ['proven by', 'finalized by'])]}
      empty={empty}
      rows={rows?.map((row) => {
        const [from, to] = isDeposit ? ['l1', row.chain] : [row.chain, 'l1'];
        const link = (key: string, chain: string, hash: string | null) =>
          hash === null ? '' : <TransactionLink key={key} hash={hash} chain={chain} />;
        return [
          <MessageLink key="message" {...row} />,
          link('tx', from, row.transaction),
          <BlockLink key="block" chain={from} id={row.block} />,
          <AddressLink key="from" chain={from} party={{ address: row.from, name: null }} />,
          <AddressLink key="to" chain={to} party={{ address: row.to, name: null }} />,
          amount(row.value),
          row.stage,
          ...(isDeposit
            ? [link('l2', row.chain, row.onL2)]
            : [link('proof', 'l1', row.proof), link('finalization', 'l1', row.finalization)]),
        ];
      })}
    />
  );
}
