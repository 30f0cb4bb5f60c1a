import { digitGroups, etherText } from '../../system/numbers/human.ts';
import { isoTime } from '../status/forks.ts';
import type { Decoded } from './abi/abi.ts';
import type { BlockView } from './block.ts';
import type { Carrier } from './carrier.ts';
import type { DepositSource } from './deposits.ts';
import type { InboxData } from './inbox.ts';
import type { CallFrame, Party } from './trace.ts';
import type { Fees, TransactionRow, TransactionView } from './transaction.ts';

/** Letters of one argument that are shown. */
const MAX_ARGUMENT_CHARS = 80;
/** Rows of a list that are shown. */
const MAX_SHOWN_ROWS = 200;

/** L1 finalizes a withdrawal even if the call that pays its receiver fails. */
const UNPAID = '  FAILED: the call of the withdrawal failed, nothing arrived';

const label = (name: string) => `  ${name.padEnd(10)}`;

/** Formats a transaction for people. */
export function transactionLines(view: TransactionView): readonly string[] {
  const { block, call, deposit, inbox } = view;
  return [
    `${view.kind} transaction ${view.hash} on ${view.place}`,
    block === null
      ? `${label('block')}none yet`
      : `${label('block')}${block.number}  index ${view.index}${block.time === null ? '' : `  ${isoTime(block.time)}`}`,
    `${label('status')}${view.status ?? 'pending'}${gasText(view)}  nonce ${view.nonce}`,
    `${label('from')}${partyText(view.from)}`,
    `${label('to')}${view.to === null ? `creates ${view.creates ?? 'a contract'}` : partyText(view.to)}`,
    `${label('value')}${etherText(BigInt(view.value))}`,
    ...(call !== null ? callLines(call) : inbox === null ? inputLines(view) : []),
    ...(view.fees === null ? [] : [`${label('fees')}${feesText(view.fees)}`]),
    ...(deposit === null ? [] : depositLines(deposit)),
    ...view.deposits.map(({ chain, hash }) => `${label('deposits')}${hash} on ${chain}`),
    ...(inbox === null ? [] : inboxLines(inbox)),
    ...(view.carrier === null ? [] : carrierLines(view.carrier)),
    ...cut(view.logs.map((log) => `${label(`log ${log.index}`)}${eventText(log)}`)),
    ...traceLines(view.trace),
  ];
}

/** Formats a block for people. */
export function blockLines(view: BlockView): readonly string[] {
  const { origin, activates, transactions } = view;
  const share = view.gasLimit === 0 ? 0 : Math.round((view.gasUsed / view.gasLimit) * 1000) / 10;
  return [
    `block ${view.number} of ${view.place}  ${view.state}`,
    `${label('hash')}${view.hash}`,
    `${label('parent')}${view.parentHash}`,
    `${label('time')}${view.at}  (${view.time})`,
    `${label('gas')}${digitGroups(view.gasUsed)} of ${digitGroups(view.gasLimit)} (${share} %)` +
      (view.baseFee === null ? '' : `  base fee ${etherText(BigInt(view.baseFee))}`),
    ...(view.extraData === '0x' ? [] : [`${label('extraData')}${shortened(view.extraData)}`]),
    ...(origin === null ? [] : [originText(origin)]),
    ...(activates.length === 0 ? [] : [`${label('forks')}the first block of ${activates.join(', ')}`]),
    ...(view.carrier === null ? [] : carrierLines(view.carrier)),
    `${transactions.length} transaction${transactions.length === 1 ? '' : 's'}`,
    ...cut(transactions.map(rowText)),
  ];
}

function rowText(row: TransactionRow): string {
  const to = row.to === null ? 'new contract' : shortParty(row.to);
  const what = row.call?.name ?? row.selector;
  const value = row.value === '0' ? '' : `  ${etherText(BigInt(row.value))}`;
  const end = row.status === 'reverted' ? '  REVERTED' : '';
  return `  ${String(row.index).padStart(3)}  ${row.hash.slice(0, 14)}…  ${row.kind}  ${shortParty(row.from)} → ${to}${
    what === null ? '' : `  ${what}`
  }${value}  gas ${row.gasUsed === null ? '?' : digitGroups(row.gasUsed)}${end}`;
}

/** Says what carried a block to L1. */
function carrierLines(carrier: Carrier): readonly string[] {
  if (carrier.kind === 'none') return [`${label('batch')}none: ${carrier.because}`];
  const { channel, l1Block } = carrier;
  const compression = channel.compression ?? 'unknown compression';
  const of = carrier.blocks > 1 ? `, block ${carrier.position + 1} of ${carrier.blocks}` : '';
  const posted = `L1 block ${l1Block.number}  ${isoTime(l1Block.timestamp)}`;
  return [
    `${label('batch')}${carrier.batch} batch ${carrier.index + 1}${of}, complete in ${posted}`,
    `${label('channel')}${channel.id}  ${digitGroups(channel.bytes)} bytes, ${compression}`,
    ...cut(
      channel.frames.map(({ number, bytes, l1Block: at, transaction, blob }) => {
        const where = blob === undefined ? 'calldata' : `blob ${blob.slice(0, 10)}…`;
        const size = `${digitGroups(bytes)} bytes`;
        return `${label(`frame ${number}`)}${size}  L1 block ${at.number}  ${where} of ${transaction}`;
      }),
    ),
  ];
}

function inboxLines({ chain, frames, batches, problem }: InboxData): readonly string[] {
  return [
    `${label('batches')}for ${chain}${problem === null ? '' : `: cannot be decoded: ${problem}`}`,
    ...frames.map(
      ({ channel, number, bytes, isLast, blob }) =>
        `${label('frame')}${number} of channel ${channel}  ${digitGroups(bytes)} bytes${isLast ? ', the last' : ''}` +
        (blob === null ? '' : `  in blob ${blob.slice(0, 10)}…`),
    ),
    ...cut(
      batches.map(({ kind, firstBlock, lastBlock, transactions }) => {
        const range = firstBlock === lastBlock ? `block ${firstBlock}` : `blocks ${firstBlock} to ${lastBlock}`;
        return `${label('batch')}${kind}: ${range}, ${transactions} transactions`;
      }),
    ),
    ...(batches.length === 0 && problem === null ? [`${label('batch')}none yet: the channel is not complete`] : []),
  ];
}

function depositLines(deposit: DepositSource): readonly string[] {
  const source = `${label('source')}${deposit.sourceHash}`;
  const mint = deposit.mint === '0' ? [] : [`${label('mint')}${etherText(BigInt(deposit.mint))}`];
  switch (deposit.kind) {
    case 'user':
      return [
        ...mint,
        source,
        `${label('deposit')}log ${deposit.l1.logIndex} of L1 block ${deposit.l1.block}, ` +
          `transaction ${deposit.l1.transaction}`,
      ];
    case 'l1-attributes':
      return [
        source,
        originText({ ...deposit.origin, sequenceNumber: deposit.sequenceNumber }),
        ...Object.entries(deposit.attributes)
          .filter(([key]) => !['number', 'hash', 'sequenceNumber'].includes(key))
          .map(([key, value]) => `${label('')}${key} ${attributeText(key, String(value))}`),
      ];
    case 'upgrade':
      return [source, `${label('upgrade')}of ${deposit.forks.join(', ')}`];
    case 'unknown':
      return [...mint, source];
  }
}

/** Attributes of L1 that are wei for a unit of gas. */
const PRICES: ReadonlySet<string> = new Set(['baseFee', 'blobBaseFee']);

/** Formats a value of the L1 attributes for people. */
function attributeText(key: string, value: string): string {
  if (key === 'timestamp') return `${isoTime(Number(value))}  (${value})`;
  if (PRICES.has(key)) return etherText(BigInt(value));
  return /^\d+$/.test(value) ? digitGroups(value) : shortened(value);
}

function originText({ number, hash, sequenceNumber }: NonNullable<BlockView['origin']>): string {
  return `${label('L1 origin')}${number}  ${hash}  sequence number ${sequenceNumber}`;
}

function callLines({ name, args }: Decoded): readonly string[] {
  return [
    `${label('calls')}${name}`,
    ...Object.entries(args).map(([key, value]) => `${label('')}${key} ${shortened(valueText(value))}`),
  ];
}

function inputLines({ selector, inputBytes }: TransactionRow): readonly string[] {
  if (inputBytes === 0) return [];
  return [
    `${label('input')}${digitGroups(inputBytes)} bytes${selector === null ? '' : `, selector ${selector} (unknown)`}`,
  ];
}

function eventText({ emitter, event, topics }: TransactionView['logs'][number]): string {
  if (event === null) return `${shortParty(emitter)}  ${topics[0] === undefined ? 'no topic' : shortened(topics[0])}`;
  const args = Object.entries(event.args).map(([key, value]) => `${key} ${shortened(valueText(value))}`);
  const isUnpaid = event.name === 'WithdrawalFinalized' && event.args['success'] === false;
  return `${shortParty(emitter)}  ${event.name}(${args.join(', ')})${isUnpaid ? UNPAID : ''}`;
}

function traceLines(trace: TransactionView['trace']): readonly string[] {
  if (trace === null) return [];
  if ('missing' in trace) return [`${label('trace')}none: ${trace.missing}`];
  return [`${label('trace')}`, ...frameLines(trace, 2)];
}

function frameLines(frame: CallFrame, depth: number): readonly string[] {
  const indent = '  '.repeat(Math.min(depth, 20));
  const to = frame.to === null ? 'new contract' : shortParty(frame.to);
  const what = frame.call === null ? (frame.selector ?? '') : callText(frame.call);
  const value = frame.value === '0' ? '' : `  ${etherText(BigInt(frame.value))}`;
  const reason = frame.reason === null ? '' : ` ${callText(frame.reason)}`;
  const error = frame.error === null ? '' : `  FAILED: ${valueText(frame.error)}${reason}`;
  return [
    `${indent}${frame.kind.toLowerCase()} ${to} ${what}${value}  gas ${digitGroups(frame.gasUsed)}${error}`,
    ...frame.calls.flatMap((call) => frameLines(call, depth + 1)),
    ...(frame.omitted === 0 ? [] : [`${indent}  … ${frame.omitted} more calls`]),
  ];
}

function callText({ name, args }: Decoded): string {
  return `${name}(${Object.values(args)
    .map((value) => shortened(valueText(value)))
    .join(', ')})`;
}

function gasText({ gasUsed, gasLimit }: TransactionView): string {
  return gasUsed === null
    ? `  gas limit ${digitGroups(gasLimit)}`
    : `  gas ${digitGroups(gasUsed)} of ${digitGroups(gasLimit)}`;
}

function feesText({ execution, l1, operator, blobs, total }: Fees): string {
  const parts = Object.entries({ execution, L1: l1, operator, blobs }).flatMap(([name, wei]) =>
    wei === null ? [] : [`${name} ${etherText(BigInt(wei))}`],
  );
  return `${etherText(BigInt(total))} (${parts.join(', ')})`;
}

function partyText({ address, name }: Party): string {
  return name === null ? address : `${address}  ${name}`;
}

function shortParty({ address, name }: Party): string {
  return name ?? `${address.slice(0, 8)}…`;
}

/** Returns a value that a contract may have chosen. A line break of its own would make a line that looks like ours. */
function valueText(value: unknown): string {
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value).replace(/[\n\t]/g, (each) => (each === '\n' ? '\\n' : '\\t'));
}

function shortened(text: string): string {
  return text.length <= MAX_ARGUMENT_CHARS ? text : `${text.slice(0, MAX_ARGUMENT_CHARS)}… (${text.length} letters)`;
}

function cut(lines: readonly string[]): readonly string[] {
  return lines.length <= MAX_SHOWN_ROWS
    ? lines
    : [...lines.slice(0, MAX_SHOWN_ROWS), `  … ${lines.length - MAX_SHOWN_ROWS} more`];
}
