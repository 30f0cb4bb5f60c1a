import { quantity } from '../../protocol/hex.ts';
import { present } from '../../protocol/present.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { readFrom } from '../../system/files/lines.ts';
import type { AbiReader } from '../inspect/abi/abi-reader.ts';
import { readBlock } from '../inspect/block.ts';
import { inspectorOf, type L2Layer } from '../inspect/inspector.ts';
import { type Layer, layersOf } from '../inspect/layer.ts';
import { readTransaction } from '../inspect/transaction.ts';
import type { Plan } from '../plan/plan.ts';
import type { StoredSnapshot } from '../snapshots/store.ts';
import type { State } from '../state/state.ts';
import { readLeaders } from '../status/leaders.ts';
import type { TraceBook } from '../traces/book.ts';
import { placesOf } from './connect.ts';
import { documentPath, readExplanation } from './explanation.ts';
import { addressOf } from './explorer/address.ts';
import { withArgumentLinks } from './explorer/argument-links.ts';
import type { BatchReader } from './explorer/batches.ts';
import { blocksOf } from './explorer/blocks.ts';
import { bridgeOf, withdrawalsIn } from './explorer/bridge.ts';
import { find } from './explorer/find.ts';
import { readMessage } from './explorer/message.ts';
import type { TransactionIndex } from './explorer/transaction-index.ts';
import { logRows } from './log-lines.ts';
import { paceOf } from './pace.ts';
import { traceView } from './trace.ts';

/** A network at the time of a request. */
interface Now {
  readonly plan: Plan;
  readonly state: State;
  /** Lists the snapshots of the home. */
  snapshots(): readonly StoredSnapshot[];
  readonly abis: AbiReader;
  readonly batches: BatchReader;
  readonly transactions: TransactionIndex;
  readonly traces: TraceBook;
}

type View = (now: Now, parameters: URLSearchParams) => Promise<unknown>;

/** Bytes of a report that are shown. */
const MAX_REPORT_BYTES = 256 * 1024;
/** Transactions of a block that are shown at a time. */
const MAX_SHOWN_TRANSACTIONS = 100;
/** Snapshots that are listed: the newest. */
const MAX_SHOWN_SNAPSHOTS = 100;

const VIEWS: Readonly<Record<string, View>> = {
  blocks: async ({ plan }, parameters) => blocksOf(await onlyLayer(plan, parameters), numberOf(parameters, 'from')),

  async block({ plan, abis }, parameters) {
    const word = parameters.get('id') ?? '';
    if (!/^(\d{1,15}|0x[0-9a-fA-F]{64})$/.test(word)) throw usage('expected the number or the hash of a block');
    const id = word.startsWith('0x') ? word : quantity(Number(word));
    const range = { from: numberOf(parameters, 'from') ?? 0, count: MAX_SHOWN_TRANSACTIONS };
    const block = await readBlock(inspectorOf(plan, abis), await onlyLayer(plan, parameters), id, range);
    if (block === undefined) throw usage(`no block ${word} there`);
    return block;
  },

  async tx({ plan, abis }, parameters) {
    const hash = parameters.get('hash') ?? '';
    if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) throw usage('expected the hash of a transaction');
    const inspector = inspectorOf(plan, abis);
    const chain = parameters.get('chain') ?? undefined;
    for (const layer of layersOf(plan, { chain }, await readLeaders(plan))) {
      const transaction = await readTransaction(
        inspector,
        layer,
        hash.toLowerCase(),
        parameters.get('trace') === 'yes',
      );
      if (transaction !== undefined) return withArgumentLinks(inspector, layer, transaction);
    }
    throw usage(`no transaction ${hash} on any chain`);
  },

  async trace({ traces }, parameters) {
    const hash = parameters.get('hash') ?? '';
    if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) throw usage('expected the hash of a block');
    return traceView(traces, hash.toLowerCase());
  },

  find({ plan, abis, transactions }, parameters) {
    const place = { chain: parameters.get('chain') ?? 'l1', index: transactions };
    return find(inspectorOf(plan, abis), place, (parameters.get('word') ?? '').slice(0, 200));
  },

  async address({ plan, abis, transactions }, parameters) {
    const address = parameters.get('address') ?? '';
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw usage('expected an address of 20 bytes in hex');
    const slot = parameters.get('slot') ?? '0x0';
    return addressOf(inspectorOf(plan, abis), await onlyLayer(plan, parameters), {
      address,
      slot,
      index: transactions,
    });
  },

  batches: async ({ plan, abis, batches }, parameters) =>
    batches(inspectorOf(plan, abis), await sequencer(plan, parameters)),

  bridge: async ({ plan }, parameters) => bridgeOf(plan, await sequencer(plan, parameters)),

  async message({ plan, abis }, parameters) {
    const [kind, id] = [parameters.get('kind'), parameters.get('id') ?? ''];
    if ((kind !== 'deposit' && kind !== 'withdrawal') || !/^0x[0-9a-fA-F]{64}$/.test(id))
      throw usage('expected deposit or withdrawal, and its hash');
    const layer = await sequencer(plan, parameters);
    const message = await readMessage(inspectorOf(plan, abis), layer, kind, id.toLowerCase());
    if (message === undefined) throw usage(`no ${kind} ${id} in the newest 5,000 blocks of L1 and ${layer.chain.name}`);
    return message;
  },

  async withdrawals({ plan }, parameters) {
    const hash = parameters.get('tx') ?? '';
    if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) throw usage('expected the hash of a transaction');
    return withdrawalsIn(plan, layersOf(plan, {}, await readLeaders(plan)).filter(isL2), hash.toLowerCase());
  },

  async log({ plan }, parameters) {
    const id = parameters.get('task') ?? '';
    const tasks = plan.tasks.filter((each) => id === '' || each.id === id);
    if (tasks.length === 0) throw usage(`expected one of ${plan.tasks.map((each) => each.id).join(', ')}`);
    const query = { text: (parameters.get('grep') ?? '').slice(0, 200), level: parameters.get('level') ?? 'debug' };
    return logRows(plan, tasks, query);
  },

  snapshots: async ({ snapshots }) =>
    snapshots()
      .map(({ name, bytes, saved }) => ({ name, bytes, saved }))
      .sort((one, other) => other.saved - one.saved)
      .slice(0, MAX_SHOWN_SNAPSHOTS),

  pace: ({ plan }) => paceOf(plan),

  connect: async ({ plan }) => placesOf(plan),

  async report({ state }, parameters) {
    const { path } = reportOf(state, parameters);
    const text = readFrom(path, 0, MAX_REPORT_BYTES);
    const lines = text.split('\n').map((line) => (line.length > 2000 ? `${line.slice(0, 2000)}…` : line));
    return { lines, explanation: readExplanation(path) ?? null };
  },

  async document({ state }, parameters) {
    const { path } = reportOf(state, parameters);
    const text = readText(documentPath(path));
    if (text === undefined) throw usage(`the document of the report ${path} is missing`);
    return JSON.parse(text);
  },
};

/** Reads a view of a network. @throws Failure `usage` (exit 2) for an unknown view or a malformed parameter */
export async function readView(name: string, now: Now, parameters: URLSearchParams): Promise<unknown> {
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (view === undefined) throw usage(`expected one of ${Object.keys(VIEWS).join(', ')}`);
  return view(now, parameters);
}

/** Finds a report by the chain, the block and the first node of its divergence: the newest one of them. */
function reportOf({ reports = [] }: State, parameters: URLSearchParams) {
  const [chain, node, block] = [parameters.get('chain'), parameters.get('node'), numberOf(parameters, 'block')];
  const report = reports.findLast((each) => each.chain === chain && each.block === block && each.nodes[0] === node);
  if (report === undefined) throw usage(`no report of ${chain}/${node} at block ${block} since the start`);
  return report;
}

async function onlyLayer(plan: Plan, parameters: URLSearchParams): Promise<Layer> {
  const place = { chain: parameters.get('chain') ?? undefined, node: parameters.get('node') ?? undefined };
  const [layer] = layersOf(plan, place, await readLeaders(plan));
  return present(layer, 'layer');
}

async function sequencer(plan: Plan, parameters: URLSearchParams): Promise<L2Layer> {
  const layers = layersOf(plan, { chain: parameters.get('chain') ?? undefined }, await readLeaders(plan));
  const first = layers.find(isL2);
  if (first === undefined) throw usage('expected a rollup chain');
  return first;
}

function isL2(layer: Layer): layer is L2Layer {
  return layer.kind === 'l2';
}

function numberOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw usage(`${name}: expected a number`);
  return Number(text);
}

function usage(message: string): Failure {
  return new Failure('usage', message, { exit: EXIT.usage });
}
