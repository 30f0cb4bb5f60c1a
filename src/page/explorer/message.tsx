import type { MessageView } from '../../orchestrator/dashboard/explorer/message.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copyable } from '../parts/copy.tsx';
import { Problem, Reading, Table } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { DecodedCall } from './call.tsx';
import { Facts, Foreign } from './facts.tsx';
import { AddressLink, Badge, BlockLink, TransactionLink } from './links.tsx';

/** Time (ms) between two reads: a message goes on while its page is open. */
const EVERY_MS = 3000;

/** A deposit or a withdrawal: both ends, amounts, and each step with its transaction. */
export function Message({ chain, kind, id }: { readonly chain: string; readonly kind: string; readonly id: string }) {
  const query = new URLSearchParams({ chain, kind, id });
  const { value, error } = useView<MessageView>(`message?${query}`, EVERY_MS);
  if (error !== undefined) return <Problem text={error} />;
  if (value === undefined) return <Reading />;
  const isDeposit = value.kind === 'deposit';
  const [fromChain, toChain] = isDeposit ? ['l1', chain] : [chain, 'l1'];
  return (
    <>
      <div class="row">
        <h2>{isDeposit ? `Deposit from L1 to ${chain}` : `Withdrawal from ${chain} to L1`}</h2>
        <Badge state={value.steps.at(-1)?.state ?? 'waiting'} />
        <a href={`#/bridge/${encodeURIComponent(chain)}`}>all messages of {chain}</a>
      </div>
      <Facts
        rows={[
          ['stage', value.stage],
          [isDeposit ? 'hash on L2' : 'hash', <Copyable key="id" value={value.id} />],
          ['from', <AddressLink key="from" chain={fromChain} party={value.from} isWhole />],
          ['to', <AddressLink key="to" chain={toChain} party={value.to} isWhole />],
          ['value', amount(value.value)],
          ['minted', value.mint === null ? null : amount(value.mint)],
          ['gas limit', digitGroups(Number(value.gas))],
          ['nonce', value.nonce === null ? null : <Copyable key="nonce" value={value.nonce} />],
          ['calls', value.call === null ? null : <DecodedCall call={value.call} />],
          ['input', value.dataBytes === 0 ? null : <Foreign value={value.data} />],
        ]}
      />
      <h2>Steps</h2>
      <Table
        columns={['step', 'state', 'on', '#block', 'time (UTC)', 'transaction', 'note']}
        rows={value.steps.map((step) => [
          step.name,
          <Badge key="state" state={step.state} />,
          step.chain === 'l1' ? 'L1' : step.chain,
          step.block === null ? '-' : <BlockLink key="block" chain={step.chain} id={step.block} />,
          step.time === null ? '-' : new Date(step.time * 1000).toISOString().slice(0, 19).replace('T', ' '),
          step.transaction === null || step.block === null ? (
            '-'
          ) : (
            <TransactionLink key="tx" chain={step.chain} hash={step.transaction} />
          ),
          step.note,
        ])}
      />
    </>
  );
}
