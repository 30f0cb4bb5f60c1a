import { sameHex } from '../../../protocol/hex.ts';
import type { Decoded } from '../../inspect/abi/abi.ts';
import type { Inspector } from '../../inspect/inspector.ts';
import { type Layer, layersOf } from '../../inspect/layer.ts';
import type { CallFrame } from '../../inspect/trace.ts';
import type { TransactionView } from '../../inspect/transaction.ts';
import type { Plan } from '../../plan/plan.ts';
import { readLeaders } from '../../status/leaders.ts';
import { argumentKey, farKey } from './argument-key.ts';
import { hashesAt } from './hashes.ts';
import { chainOf, messagePage, pageOf } from './places.ts';

/** Where values of decoded arguments lead, by `argumentKey`. */
export type ArgumentLinks = Readonly<Record<string, { readonly to: string; readonly name: string | null }>>;

/** A transaction as the page shows it. */
export interface LinkedTransaction extends TransactionView {
  readonly links: ArgumentLinks;
}

/** Values of one transaction that are looked at, and hashes that are looked up on every layer. */
const MAX_VALUES = 2000;
const MAX_HASHES = 32;

/** Arguments of the bridge's contracts that are addresses on the other layer: receivers, senders, tokens. */
const FAR = new RegExp(
  [
    '^((depositTransaction|(deposit|bridge)(ETH|ERC20)To|withdrawTo)\\._to',
    '(TransactionDeposited|(ETH|ERC20|ERC721)(Deposit|Bridge)Initiated|WithdrawalInitiated)\\.to',
    '(initiateWithdrawal|sendMessage)\\._target',
    '(MessagePassed|SentMessage)\\.target',
    'relayMessage\\._sender',
    '(prove|finalize)WithdrawalTransaction\\.sender',
    '\\w+\\._?remoteToken)$',
  ].join('|'),
);

/** An argument: its names, outermost and innermost, a text or number in its value, and its contract. */
interface Value {
  readonly call: string;
  readonly name: string;
  readonly inner: string;
  readonly value: string;
  readonly owner: string;
  readonly signature: string;
}

/** Adds the pages of the addresses, hashes and block numbers that the decoded arguments of a transaction hold. */
export async function withArgumentLinks(
  inspector: Inspector,
  layer: Layer,
  view: TransactionView,
): Promise<LinkedTransaction> {
  const values = valuesOf(view);
  const addresses = distinct(values, /^0x[0-9a-f]{40}$/i);
  const hashes = distinct(values, /^0x[0-9a-f]{64}$/i).slice(0, MAX_HASHES);
  const layers = layersOf(inspector.plan, {}, await readLeaders(inspector.plan));
  const [finds] = await Promise.all([hashesAt(layers, hashes), inspector.identify(layer, addresses)]);
  const names = inspector.names(layer);
  const links: Record<string, ArgumentLinks[string]> = {};
  for (const address of addresses)
    links[address] = { to: pageOf(chainOf(layer), 'address', address), name: names.get(address) ?? null };
  for (const hash of hashes) {
    const find = finds.get(hash)?.[0];
    if (find !== undefined) links[hash] = { to: find.to, name: null };
  }
  for (const each of values) {
    const to = placeOf(inspector, layer, each);
    if (to !== undefined) links[argumentKey(each.name, each.value)] = { to, name: null };
    const other = otherLayer(inspector.plan, layer, layers, each);
    if (other === undefined) continue;
    const address = each.value.toLowerCase();
    const name = inspector.names(other).get(address) ?? null;
    links[farKey(`${each.call}.${each.inner}`, address)] = { to: pageOf(chainOf(other), 'address', address), name };
  }
  return { ...view, links };
}

const distinct = (values: readonly Value[], pattern: RegExp): readonly string[] => [
  ...new Set(values.filter(({ value }) => pattern.test(value)).map(({ value }) => value.toLowerCase())),
];

/** Returns the layer on which an address of a bridge's argument is, if that is the other one. */
function otherLayer(
  { network }: Plan,
  layer: Layer,
  layers: readonly Layer[],
  { call, inner, value, owner }: Value,
): Layer | undefined {
  if (!/^0x[0-9a-f]{40}$/i.test(value) || !FAR.test(`${call}.${inner}`)) return undefined;
  const isOf = (contracts: Readonly<Record<string, string>>) =>
    Object.values(contracts).some((each) => sameHex(each, owner));
  if (layer.kind === 'l2') return isOf(layer.chain.contracts.l2) ? layers.find(({ kind }) => kind === 'l1') : undefined;
  const chain = network.chains.find(({ contracts }) => isOf(contracts.l1));
  return layers.find((each) => each.kind === 'l2' && each.chain.name === chain?.name);
}

/** Returns the page of a block number or a withdrawal. Undefined: the value is neither. */
function placeOf({ plan }: Inspector, layer: Layer, { name, value, owner, signature }: Value): string | undefined {
  const { chains } = plan.network;
  const rollup =
    layer.kind === 'l2'
      ? layer.chain
      : (chains.find(({ contracts }) => Object.values(contracts.l1).some((each) => sameHex(each, owner))) ??
        (chains.length === 1 ? chains[0] : undefined));
  if (/withdrawalHash$/i.test(name) && /^0x[0-9a-f]{64}$/i.test(value))
    return rollup === undefined ? undefined : messagePage(rollup.name, 'withdrawal', value);
  if (!/^\d{1,15}$/.test(value)) return undefined;
  // The L1 attributes of the first forks: their arguments have no other names.
  if (/^_?number$/.test(name) && signature.startsWith('setL1BlockValues(')) return pageOf('l1', value);
  if (!/block(_?num(ber)?)?$/i.test(name)) return undefined;
  if (/l1_?block/i.test(name)) return pageOf('l1', value);
  if (!/l2_?block/i.test(name)) return pageOf(chainOf(layer), value);
  return rollup === undefined ? undefined : pageOf(rollup.name, value);
}

/** Lists what the arguments of the call, the logs and the trace hold, at most `MAX_VALUES`. */
function valuesOf({ call, to, logs, trace }: TransactionView): readonly Value[] {
  const values: Value[] = [];
  const walk = (value: unknown, place: Omit<Value, 'value'>): void => {
    if (values.length >= MAX_VALUES || value === null) return;
    if (typeof value === 'string' || typeof value === 'number') values.push({ ...place, value: String(value) });
    else if (typeof value === 'object')
      for (const [inner, each] of Object.entries(value)) walk(each, { ...place, inner });
  };
  const read = (decoded: Decoded | null, owner: string) => {
    for (const [name, value] of Object.entries(decoded?.args ?? {}))
      walk(value, { call: decoded?.name ?? '', name, inner: name, owner, signature: decoded?.signature ?? '' });
  };
  const readFrame = (frame: CallFrame): void => {
    read(frame.call, frame.to?.address ?? '');
    read(frame.reason, frame.to?.address ?? '');
    frame.calls.forEach(readFrame);
  };
  read(call, to?.address ?? '');
  for (const { event, emitter } of logs) read(event, emitter.address);
  if (trace !== null && !('missing' in trace)) readFrame(trace);
  return values;
}
