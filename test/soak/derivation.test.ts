import { expect, test } from 'vitest';
import type { Hex } from '../../src/protocol/types.ts';
import { FAULTS, KINDS, until, waitUntilHealed } from './derivation/faults.ts';
import { bytesKept, growthOf } from './derivation/heap.ts';
import { L1_TIME, NODE_NAMES, type NodeName, SoakNetwork } from './derivation/network.ts';
import { TRANSACTIONS, traffic } from './derivation/traffic.ts';

const BLOCKS = Number(process.env['BLOCKS'] ?? 3600);
const COUNT = Number(process.env['FAULTS'] ?? 63);
const SEED = Number(process.env['SEED'] ?? 1);
/** Seconds of one move of the clock. */
const STEP = 4;
const SLOW_STEP = 0.5;
/** Unsafe blocks above which the clock moves slowly. L1 has to go on, so that it includes what the batcher posts. */
const MOST_UNSAFE = 240;
const LATE_STEP = 0.1;
/** MB that a process may grow for each 1,000 blocks. The five transactions of each block alone would take 2.5. */
const GROWTH = 1;
/** Blocks after which caches are full, and blocks between two measurements of memory. */
const WARM = 1800;
const LOOK_EVERY = BLOCKS / 24;

/** Creates a seeded random source of numbers below a bound (mulberry32). */
function random(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Returns hashes of blocks 1 to `last`, and their numbers of users' transactions. */
async function chainOf(network: SoakNetwork, name: NodeName, last: number) {
  const rpc = network.engine(name);
  const chain: { hash: Hex; transactions: number }[] = [];
  for (let from = 1; from <= last; from += 100) {
    const numbers = Array.from({ length: Math.min(100, last - from + 1) }, (_, index) => from + index);
    const outcomes = await rpc.batch(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })),
    );
    for (const outcome of outcomes) {
      if (!outcome.ok) throw outcome.error;
      const block = outcome.result as { hash: Hex; transactions: readonly Hex[] } | null;
      chain.push({ hash: block?.hash ?? '0x', transactions: (block?.transactions.length ?? 1) - 1 });
    }
  }
  rpc.close();
  return chain;
}

test(`${BLOCKS} blocks with ${COUNT} faults end in agreement`, async () => {
  await using network = await SoakNetwork.start();
  const pick = random(SEED);
  const engine = network.engine('sequencer');
  const [chain] = network.status.chains;
  const { refill } = traffic(
    chain!.chainId,
    chain!.accounts.find(({ role }) => role === undefined)!.privateKey,
    30_000_000n,
  );
  const isFilled = () =>
    refill(engine).then(
      () => true,
      () => undefined,
    );
  await until('the first transactions to be taken', isFilled);
  /** First block with pooled transactions at its time. */
  const first = network.age() + 2;
  const faults: { readonly block: number; readonly kind: string; readonly line: string }[] = [];
  const samples: Record<string, { block: number; bytes: number }[]> = {
    'main/verifier/cl': [],
    'main/verifier/el': [],
  };
  let isOver = false;

  /** Block at which the fault of a number is due. */
  const due = (count: number) => first + ((count + 1) * BLOCKS) / (COUNT + 1);
  /** Moves the time as fast as the sequencer follows with full blocks, and more slowly during a fault. */
  async function live(): Promise<void> {
    while (!isOver) {
      try {
        await refill(engine);
        const heads = await network.heads('sequencer');
        const isFollowed = heads && heads.unsafe_l2.number >= network.age() - 1;
        // A late batcher has to make full blobs, which takes it longer still.
        const isPosted = heads && heads.unsafe_l2.number - heads.safe_l2.number < MOST_UNSAFE;
        const isEarly = network.age() < due(faults.length) + 6 * L1_TIME;
        network.move(isFollowed ? (isPosted ? (isEarly ? STEP : SLOW_STEP) : LATE_STEP) : 0);
      } catch {
        // Its execution client is being restarted.
        network.move();
      }
      await new Promise((wait) => setTimeout(wait, 25));
    }
  }

  /** Shuffled rounds of all kinds, spread evenly over the blocks. */
  async function harm(): Promise<void> {
    let round: string[] = [];
    for (let count = 0; count < COUNT; count++) {
      await until(`block ${due(count)}`, () => (network.age() >= due(count) ? true : undefined));
      if (round.length === 0) round = [...KINDS];
      const [kind] = round.splice(pick(round.length), 1) as [string];
      const block = network.age();
      // Measures a process only after its last restart.
      const restartable = block < BLOCKS / 6 ? NODE_NAMES : NODE_NAMES.filter((name) => name !== 'verifier');
      const line = await FAULTS[kind]!(network, { pick, restartable });
      faults.push({ block, kind, line });
      console.log(`block ${block}: ${kind} (${line})`);
      await waitUntilHealed(network);
      for (const [task, list] of Object.entries(samples))
        if (block > WARM && block - (list.at(-1)?.block ?? 0) > LOOK_EVERY)
          list.push({ block, bytes: await bytesKept(network.logOf(task)) });
    }
    await until(`block ${due(COUNT)}`, () => (network.age() >= due(COUNT) ? true : undefined));
    await waitUntilHealed(network);
  }

  const began = performance.now();
  const living = live();
  try {
    await harm();
  } finally {
    isOver = true;
    await living;
  }
  const last = (await network.heads('sequencer'))!.safe_l2.number;
  const [sequenced, ...others] = await Promise.all(NODE_NAMES.map((name) => chainOf(network, name, last)));
  for (const chain of others) expect(chain).toEqual(sequenced);
  const users = sequenced!.slice(first - 1).map(({ transactions }) => transactions);
  const poor = users.flatMap((count, at) => (count < TRANSACTIONS ? [`${first + at}: ${count}`] : []));
  const transactions = users.reduce((sum, count) => sum + count, 0);
  console.log(
    `${users.length} blocks, ${transactions} transactions, fewest in a block ${Math.min(...users)}, ` +
      `${faults.length} faults of ${KINDS.length} kinds, ${Math.round((performance.now() - began) / 1000)} s`,
  );
  for (const [task, list] of Object.entries(samples)) {
    const sizes = list.map(({ block, bytes }) => `${block}: ${(bytes / 1e6).toFixed(2)}`).join(', ');
    console.log(`${task}: ${sizes} MB; ${growthOf(list).toFixed(2)} MB per 1,000 blocks`);
  }
  expect(users.length).toBeGreaterThanOrEqual(BLOCKS);
  // A sequencer that gets no processor time seals what it has.
  expect(poor.length, poor.join(', ')).toBeLessThan(users.length / 100);
  for (const kind of KINDS)
    expect(faults.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(Math.floor(COUNT / KINDS.length));
  expect((await network.home.devnet('check')).code).toBe(0);
  for (const list of Object.values(samples)) if (list.length > 6) expect(growthOf(list)).toBeLessThan(GROWTH);
});
