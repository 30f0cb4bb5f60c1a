import type { Hex } from '../../../src/protocol/types.ts';
import { NETWORK_TIMEOUT_MS, NODE_NAMES, type NodeName, type SoakNetwork } from './network.ts';

/** Waits until a value is found. @throws Error that names it */
export async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + NETWORK_TIMEOUT_MS;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`waited ${NETWORK_TIMEOUT_MS / 1000} s for ${what}`);
    await new Promise((wait) => setTimeout(wait, 100));
  }
}

/** The processes that a fault may hit, and its random source. */
export interface Chance {
  /** Returns a number below a bound. */
  pick(bound: number): number;
  /** Nodes whose processes a fault may restart. */
  readonly restartable: readonly NodeName[];
}

/** Makes one kind of fault, waits for its repair, and returns the line of an event log that shows it. */
type Fault = (network: SoakNetwork, chance: Chance) => Promise<string>;

const one = <T>({ pick }: Chance, list: readonly T[]): T => list[pick(list.length)]!;

/** Ends a process by its signal or by SIGKILL and restarts it. The supervisor reports another process id. */
async function restart(network: SoakNetwork, task: string, isKilled: boolean, between?: () => Promise<unknown>) {
  const from = network.events.length;
  if (between === undefined && !isKilled) await network.node('restart', task).catch(() => network.node('start', task));
  else {
    await network.node(isKilled ? 'kill' : 'stop', task);
    await between?.();
    // A slow machine gets a second minute.
    await network.node('start', task).catch(() => network.node('start', task));
  }
  return until(`the event log to show ${task} ended and ready again`, () => {
    const events = network.events
      .slice(from)
      .flatMap((event) => (event.event === 'task' && event.task === task ? [event] : []));
    const stop = events.find(({ phase }) => phase === 'stopped');
    const ready = events.findLast(({ phase }) => phase === 'ready');
    if (stop === undefined || ready === undefined || ready.at < stop.at) return undefined;
    const phases = events.map(({ phase }) => phase).join(', ');
    return `${task} ${isKilled ? 'killed' : 'stopped'}: events ${phases}, now pid ${ready.pid}`;
  });
}

/** Closes a proxy until a log line reports it. */
async function shut(network: SoakNetwork, name: NodeName, which: 'engine' | 'beacon', line: RegExp): Promise<string> {
  const task = `main/${name}/cl`;
  const door = network.doors[name][which];
  const [before, refused] = [network.linesOf(task, line).length, door.refused()];
  const port = which === 'engine' ? network.portOf(`main/${name}/el`, 'engine') : network.portOf('l1-beacon', 'http');
  door.pointTo(undefined);
  try {
    return await until(`${task} to log that its ${which} is lost`, () => {
      const lines = network.linesOf(task, line);
      return lines.length > before && door.refused() > refused ? `${task}: ${lines.at(-1)!.slice(0, 160)}` : undefined;
    });
  } finally {
    door.pointTo(port);
  }
}

/** Waits for L1 blocks. */
async function l1Blocks(network: SoakNetwork, count: number): Promise<void> {
  const height = async () => Number(await network.l1.call<Hex>('eth_blockNumber'));
  const from = await height();
  await until(`${count} more L1 blocks`, async () => ((await height()) >= from + count ? true : undefined));
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'rollup node restarted': (network, chance) =>
    restart(network, `main/${one(chance, chance.restartable)}/cl`, chance.pick(2) === 0),
  'execution client restarted': (network, chance) =>
    restart(network, `main/${one(chance, chance.restartable)}/el`, chance.pick(2) === 0),
  'L1 restarted': (network, chance) => restart(network, one(chance, ['l1', 'l1-beacon']), chance.pick(2) === 0),
  async 'L1 reorganised'(network, { pick }) {
    const depth = 1 + pick(5);
    const tasks = ['l1-beacon', 'main/verifier/cl'];
    const count = (task: string) => network.linesOf(task, /L1 was reorganised/).length;
    const before = tasks.map(count);
    const { number, hash } = await network.l1.call<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    await network.l1.call('anvil_rollback', [depth]);
    // A new transaction, so that each block differs from the one that it replaces.
    const [from] = await network.l1.call<Hex[]>('eth_accounts');
    await network.l1.call('eth_sendTransaction', [{ from, to: from, value: '0x1' }]);
    const line = await until(
      `${tasks.join(' and ')} to log an L1 reorg ${depth} blocks below ${Number(number)}`,
      async () => {
        const block = await network.l1.call<{ hash: Hex } | null>('eth_getBlockByNumber', [number, false]);
        const isSeen = tasks.every((task, at) => count(task) > before[at]!);
        return isSeen && block !== null && block.hash !== hash
          ? network.linesOf('main/verifier/cl', /L1 was reorganised/).at(-1)!
          : undefined;
      },
    );
    return `${depth} blocks below ${Number(number)}: ${line.slice(0, 160)}`;
  },
  'beacon lost': (network, chance) => shut(network, one(chance, NODE_NAMES), 'beacon', /a beacon node did not answer/),
  'engine lost': (network, chance) =>
    shut(network, one(chance, NODE_NAMES), 'engine', /lvl=warn .*(ECONN|socket hang up)/),
  'batcher outage': (network, { pick }) =>
    restart(network, 'main/batcher', pick(2) === 0, () => l1Blocks(network, 2 + pick(4))),
};

export const KINDS = Object.keys(FAULTS);

/** Waits until every block that was sequenced during the fault is safe at every node. */
export async function waitUntilHealed(network: SoakNetwork): Promise<void> {
  const height = (await until('the sequencer to answer', () => network.heads('sequencer'))).unsafe_l2.number;
  for (const name of NODE_NAMES)
    await until(`block ${height} to be safe at ${name}`, async () => {
      const heads = await network.heads(name);
      return heads && heads.safe_l2.number >= Math.max(height, 1) ? heads : undefined;
    });
}
