import { expect, it } from 'vitest';
import type { ConductorStatus } from '../../src/orchestrator/change/conductor.ts';
import { seededRandom } from '../../src/system/numbers/random.ts';
import { Home } from '../e2e/devnet.ts';
import { ToldLoad } from '../e2e/support/told-load.ts';
import { ToldBlocks } from './told-blocks.ts';

/** Losses of the leader, and what they follow from. */
const KILLS = Number(process.env['KILLS'] ?? 50);
const SEED = Number(process.env['SEED'] ?? 1);

const SENDERS = 3;
const BLOCK_MS = 1000;
/** The most blocks between two losses, those of the takeover left out. */
const MAX_BETWEEN = 5;
const STAYS = { timeout: 120_000, interval: 50 };

const SPEC = {
  version: 1,
  name: 'leaders',
  ports: 'auto',
  faults: true,
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      conductor: true,
      nodes: {
        s1: { role: 'sequencer' },
        s2: { role: 'sequencer', el: 'execution-go' },
        s3: { role: 'sequencer', el: 'execution-rust' },
        v: {},
      },
    },
  },
};

/** A way to lose a leader, and how it comes back. */
interface Loss {
  readonly kind: string;
  lose(home: Home, leader: string): Promise<void>;
  restore(home: Home, leader: string): Promise<void>;
}

const run = async (home: Home, ...words: string[]) =>
  expect(await home.devnet(...words)).toMatchObject({ code: 0, stderr: expect.anything() });

const heal = (home: Home) => run(home, 'fault', 'heal', '--all');

const LOSSES: readonly Loss[] = [
  {
    kind: 'kill',
    lose: (home, leader) => run(home, 'node', 'kill', leader),
    restore: (home, leader) => run(home, 'node', 'start', leader),
  },
  {
    kind: 'freeze',
    lose: (home, leader) => run(home, 'node', 'pause', leader),
    restore: (home, leader) => run(home, 'node', 'resume', leader),
  },
  { kind: 'cut', lose: (home, leader) => run(home, 'fault', 'cut', leader), restore: heal },
  {
    kind: 'cut from conductor',
    lose: (home, leader) => run(home, 'fault', 'cut', `${leader}-conductor`),
    restore: heal,
  },
];

/** What one loss cost. */
interface Outcome {
  readonly kind: string;
  /** Milliseconds from the loss to the first block of the next leader. */
  readonly ms: number;
}

/** Loses the leader once, waits for blocks of another one, and has the former one back. */
async function loseLeader(home: Home, blocks: ToldBlocks, loss: Loss): Promise<Outcome> {
  const set = () => home.json<ConductorStatus>('conductor', 'status');
  const leader = (await set()).leader ?? '';
  const from = performance.now();
  await loss.lose(home, leader);
  await expect.poll(async () => (await set()).leader, STAYS).not.toBe(leader);
  const { at } = await blocks.next(await lastOfFormer(home), leader);
  await loss.restore(home, leader);
  const isWhole = async () => {
    const { members, last: now } = await set();
    return members.every(({ healthy, block }) => healthy && block !== null && block >= (now?.number ?? 0) - 1);
  };
  await expect.poll(isWhole, STAYS).toBe(true);
  return { kind: loss.kind, ms: at - from };
}

/** Reads the number of the last block of the former leader. */
async function lastOfFormer(home: Home): Promise<number> {
  const { stdout } = await home.devnet('logs', 'conductor');
  const [, last] = [...stdout.matchAll(/Gave the lead.* last=(\d+)/g)].at(-1) ?? [];
  return Number(last);
}

it(`a set loses its leader ${KILLS} times, and no block or transaction (seed ${SEED})`, async () => {
  await using home = new Home();
  const [chain] = (await home.up(home.spec('leaders', SPEC))).chains;
  if (chain === undefined) throw new Error('no chain');
  const urls = chain.nodes.map(({ el }) => el.http);
  const blocks = new ToldBlocks(chain.nodes);
  const load = new ToldLoad(chain, SENDERS);
  const random = seededRandom(SEED);
  const outcomes: Outcome[] = [];
  for (let nth = 1; nth <= KILLS; nth++) {
    const loss = LOSSES[Math.floor(random() * LOSSES.length)];
    if (loss === undefined) throw new Error('no loss');
    const height = blocks.highest + Math.floor(random() * MAX_BETWEEN);
    await expect.poll(() => blocks.highest, STAYS).toBeGreaterThanOrEqual(height);
    outcomes.push(await loseLeader(home, blocks, loss));
    expect(blocks.conflicts()).toEqual([]);
    if (nth % 10 === 0) console.log(`${nth} losses, ${blocks.count} blocks, ${load.told.length} transactions`);
  }
  await load.end(urls);
  await home.agrees();
  await blocks.end();
  for (const { kind } of LOSSES) console.log(textOf(kind, outcomes));
  const { told, failedCount } = load;
  console.log(`${blocks.count} blocks and ${told.length} transactions told, ${failedCount} requests failed`);
});

function textOf(kind: string, outcomes: readonly Outcome[]): string {
  const times = outcomes.filter((each) => each.kind === kind).map(({ ms }) => ms / BLOCK_MS);
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(2) ?? '-';
  const late = times.filter((blocksOf) => blocksOf > 2).length;
  return `${kind}: ${times.length} times, ${at(0)}, ${at(0.5)}, ${at(1)} blocks (least, median, most), ${late} over 2`;
}
