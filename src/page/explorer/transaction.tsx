import { useState } from 'preact/hooks';
import type { LinkedTransaction } from '../../orchestrator/dashboard/explorer/argument-links.ts';
import type { DepositSource } from '../../orchestrator/inspect/deposits.ts';
import type { InboxData } from '../../orchestrator/inspect/inbox.ts';
import type { Fees, TransactionView } from '../../orchestrator/inspect/transaction.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copyable } from '../parts/copy.tsx';
import { Problem, Reading, Table } from '../parts/parts.tsx';
import { amount } from '../parts/values.ts';
import { useView } from '../store/store.tsx';
import { Links } from './arguments.tsx';
import { WithdrawalsIn } from './bridge.tsx';
import { CallTree, DecodedCall } from './call.tsx';
import { CarrierText } from './carrier.tsx';
import { Facts, Foreign } from './facts.tsx';
import { AddressLink, Badge, BlockLink, MessageLink, TransactionLink } from './links.tsx';

/** Time (ms) between two reads of a transaction that waits for its block or its batch. */
const EVERY_MS = 3000;
const isCarried = ({ block, carrier }: TransactionView): boolean => block !== null && carrier?.kind !== 'none';

/** Events of the three transactions of a withdrawal. */
const WITHDRAWAL_EVENTS: ReadonlySet<string> = new Set(['MessagePassed', 'WithdrawalProven', 'WithdrawalFinalized']);
/** Logs and batches that are listed. */
const MAX_SHOWN_ROWS = 200;

/** A transaction of any chain: decoded call, logs, fees, where it comes from, and what carried it to L1. */
export function Transaction({ hash }: { readonly hash: string }) {
  const [traced, setTraced] = useState(false);
  const query = `tx?hash=${encodeURIComponent(hash)}`;
  const first = useView<LinkedTransaction>(query, EVERY_MS, isCarried);
  // The trace of one that reverted has the reason.
  const isTraced = traced || first.value?.status === 'reverted';
  const second = useView<LinkedTransaction>(isTraced ? `${query}&trace=yes` : undefined);
  if (first.error !== undefined) return <Problem text={first.error} />;
  const view = first.value;
  if (view === undefined) return <Reading />;
  const chain = view.place.split('/')[0] ?? 'l1';
  const trace = second.value?.trace ?? null;
  const reason = trace !== null && !('missing' in trace) ? (trace.reason ?? trace.error) : null;
  return (
    <Links.Provider value={{ ...view.links, ...second.value?.links }}>
      <div class="row">
        <h2>
          {view.kind} transaction on {view.place}
        </h2>
        <Badge state={view.status ?? 'pending'} />
      </div>
      <TransactionFacts view={view} chain={chain} reason={reason} />
      {view.logs.some(({ event }) => event !== null && WITHDRAWAL_EVENTS.has(event.name)) && (
        <>
          <h2>Withdrawals</h2>
          <WithdrawalsIn transaction={view.hash} />
        </>
      )}
      <h2>Logs</h2>
      <Table
        columns={['#index', 'contract', 'event']}
        empty="none"
        rows={view.logs
          .slice(0, MAX_SHOWN_ROWS)
          .map(({ index, emitter, event, topics }) => [
            String(index),
            <AddressLink key="emitter" chain={chain} party={emitter} />,
            event === null ? (
              <Foreign key="topics" value={topics.join(' ')} />
            ) : (
              <DecodedCall key="event" call={event} />
            ),
          ])}
      />
      {view.logs.length > MAX_SHOWN_ROWS && <p class="dim">and {view.logs.length - MAX_SHOWN_ROWS} more logs</p>}
      <h2>Trace</h2>
      {!isTraced && (
        <button type="button" onClick={() => setTraced(true)}>
          trace
        </button>
      )}
      {isTraced && second.error !== undefined && <Problem text={second.error} />}
      {isTraced && second.value === undefined && second.error === undefined && <Reading />}
      {trace !== null &&
        ('missing' in trace ? <p class="dim">none: {trace.missing}</p> : <CallTree frame={trace} chain={chain} />)}
    </Links.Provider>
  );
}

function TransactionFacts({
  view,
  chain,
  reason,
}: {
  readonly view: TransactionView;
  readonly chain: string;
  readonly reason: string | NonNullable<TransactionView['call']> | null;
}) {
  const { block, call, to, creates } = view;
  return (
    <Facts
      rows={[
        ['hash', <Copyable key="hash" value={view.hash} />],
        ['block', block === null ? 'none yet' : <BlockLink chain={chain} id={block.number} />],
        ['reason', reason === null ? null : <Reason reason={reason} />],
        ['from', <AddressLink key="from" chain={chain} party={view.from} isWhole />],
        ['to', to === null ? null : <AddressLink chain={chain} party={to} isWhole />],
        [
          'creates',
          creates === null ? null : <AddressLink chain={chain} party={{ address: creates, name: null }} isWhole />,
        ],
        ['value', amount(view.value)],
        ['nonce', String(view.nonce)],
        ['gas', `${view.gasUsed === null ? '?' : digitGroups(view.gasUsed)} of ${digitGroups(view.gasLimit)}`],
        ['fees', view.fees === null ? null : feesText(view.fees)],
        ['calls', call === null ? null : <DecodedCall call={call} />],
        [
          'input',
          call !== null || view.inputBytes === 0
            ? null
            : `${digitGroups(view.inputBytes)} bytes${view.selector === null ? '' : `, selector ${view.selector}`}`,
        ],
        ['deposit', view.deposit === null ? null : <Deposit deposit={view.deposit} chain={chain} hash={view.hash} />],
        [
          'deposits',
          view.deposits.length === 0 ? null : (
            <ul class="plain">
              {view.deposits.map((each) => (
                <li key={each.hash}>
                  <TransactionLink chain={each.chain} hash={each.hash} /> on {each.chain}, message{' '}
                  <MessageLink chain={each.chain} kind="deposit" id={each.hash} />
                </li>
              ))}
            </ul>
          ),
        ],
        ['batches', view.inbox === null ? null : <Inbox inbox={view.inbox} />],
        ['batch', view.carrier === null ? null : <CarrierText carrier={view.carrier} />],
      ]}
    />
  );
}

function Reason({ reason }: { readonly reason: string | NonNullable<TransactionView['call']> }) {
  if (typeof reason === 'string') return <Foreign value={reason} />;
  return <DecodedCall call={reason} />;
}

function feesText({ execution, l1, operator, blobs, total }: Fees): string {
  const parts = Object.entries({ execution, L1: l1, operator, blobs }).flatMap(([name, wei]) =>
    wei === null ? [] : [`${name} ${amount(wei)}`],
  );
  return `${amount(total)} (${parts.join(', ')})`;
}

function Deposit({
  deposit,
  chain,
  hash,
}: {
  readonly deposit: DepositSource;
  readonly chain: string;
  readonly hash: string;
}) {
  switch (deposit.kind) {
    case 'user':
      return (
        <>
          log {deposit.l1.logIndex} of <TransactionLink chain="l1" hash={deposit.l1.transaction} /> in L1 block{' '}
          <BlockLink chain="l1" id={deposit.l1.block} />
          {deposit.mint === '0' ? '' : `, mints ${amount(deposit.mint)}`}, message{' '}
          <MessageLink chain={chain} kind="deposit" id={hash} />
        </>
      );
    case 'l1-attributes':
      return (
        <>
          attributes of L1 block <BlockLink chain="l1" id={deposit.origin.number} />, sequence number{' '}
          {deposit.sequenceNumber}
        </>
      );
    case 'upgrade':
      return <>upgrade of {deposit.forks.join(', ')}</>;
    case 'unknown':
      return <>of an unknown source</>;
  }
}

function Inbox({ inbox }: { readonly inbox: InboxData }) {
  const { chain, frames, batches, problem } = inbox;
  return (
    <>
      for {chain}
      {problem === null ? '' : `: cannot be decoded: ${problem}`}
      <ul class="plain">
        {frames.map(({ channel, number, bytes, isLast }) => (
          <li key={`${channel} ${number}`}>
            frame {number} of channel <Copyable value={channel} />, {digitGroups(bytes)} bytes
            {isLast ? ', the last' : ''}
          </li>
        ))}
        {batches.slice(0, MAX_SHOWN_ROWS).map(({ kind, firstBlock, lastBlock, transactions }) => (
          <li key={`${firstBlock} ${lastBlock}`}>
            {kind} batch: blocks <BlockLink chain={chain} id={firstBlock} /> to{' '}
            <BlockLink chain={chain} id={lastBlock} />, {digitGroups(transactions)} transactions
          </li>
        ))}
      </ul>
    </>
  );
}
