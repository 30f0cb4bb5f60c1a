import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { addFault, healFaults } from '../../src/orchestrator/change/faults.ts';
import { devnetAt } from '../../src/orchestrator/devnet/select.ts';
import type { GivenFault } from '../../src/orchestrator/state/faults.ts';
import { pathsOf } from '../../src/orchestrator/state/paths.ts';
import { seededRandom } from '../../src/system/numbers/random.ts';
import { Home, type Status } from '../e2e/devnet.ts';

/** Seconds of faults, faults a second, and what they follow from. */
const SECONDS = Number(process.env['SECONDS_OF_FAULTS'] ?? 60);
const PER_SECOND = 5;
const SEED = Number(process.env['SEED'] ?? 1);

/** Faults that stand at once. */
const MOST_STANDING = 4;

const SPEC = {
  version: 1,
  name: 'storm',
  ports: 'auto',
  faults: true,
  l1: { blockTime: 1, onExit: 'ignore' },
  chains: {
    main: { blockTime: 1, onExit: 'ignore', nodes: { s: { role: 'sequencer' }, v: {}, w: { el: 'execution-rust' } } },
  },
};

const TARGETS = [
  's-v',
  's-w:p2p',
  'v-w',
  'v:engine',
  's:engine',
  'l1',
  'beacon',
  'batcher',
  'proposer-l1',
  'w',
  'v:l1',
];
const NODES = ['s', 'v', 'w'];

/** Returns a fault of any kind. */
function anyFault(random: () => number): GivenFault {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const target = pick(TARGETS);
  switch (pick(['partition', 'cut', 'drop', 'delay', 'limit', 'loss'] as const)) {
    case 'partition': {
      const alone = pick(NODES);
      return { partition: { groups: [[alone], NODES.filter((name) => name !== alone)] } };
    }
    case 'cut':
      return { shaping: { target, cut: true } };
    case 'drop':
      return { shaping: { target, drop: true, direction: pick(['both', 'egress', 'ingress'] as const) } };
    case 'delay':
      return { shaping: { target, delay: 1 + Math.floor(random() * 300), jitter: 50 } };
    case 'limit':
      return { shaping: { target, bandwidth: 64 + Math.floor(random() * 10_000) } };
    case 'loss':
      return { shaping: { target, loss: 1 + Math.floor(random() * 20) } };
  }
}

/** Open sockets, their listening ones, and resident bytes of a process. */
function held(pid: number) {
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  const listening = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .flatMap((fields) => (fields[3] === '0A' ? (fields[9] ?? []) : [])),
  );
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return { sockets: inodes.length, ports: inodes.filter((inode) => listening.has(inode)).length, rss };
}

it(
  `${PER_SECOND} faults a second for ${SECONDS} s leave no connection, port or memory behind (seed ${SEED})`,
  async () => {
    await using home = new Home();
    await home.up(home.spec('storm', SPEC));
    const devnet = devnetAt(pathsOf(home.env['DEVNET_HOME']!, 'storm'));
    const status = () => home.json<Status & { readonly supervisor: number }>('status');
    const { supervisor } = await status();
    const before = held(supervisor);
    const random = seededRandom(SEED);
    const standing: string[] = [];
    for (let count = 0; count < SECONDS * PER_SECOND; count++) {
      if (standing.length >= MOST_STANDING) await healFaults(devnet, standing.splice(0, 1));
      standing.push(await addFault(devnet, anyFault(random)));
      await sleep(1000 / PER_SECOND);
    }
    const during = held(supervisor);
    await healFaults(devnet, 'all');
    const LONG = { timeout: 180_000, interval: 500 };
    await vi.waitFor(async () => expect(await status()).toMatchObject({ phase: 'ready' }), LONG);
    await vi.waitFor(async () => expect(await home.json('check')).toMatchObject({ agree: true }), LONG);
    await vi.waitFor(() => expect(held(supervisor).sockets).toBeLessThanOrEqual(before.sockets + 8), LONG);
    const after = held(supervisor);
    process.stderr.write(`before ${text(before)}; at the end of the faults ${text(during)}; after ${text(after)}\n`);
    expect(after.ports).toBe(before.ports);
    expect(after.rss).toBeLessThan(before.rss + 60);
    expect(readdirSync(join(home.env['DEVNET_HOME']!, 'storm'))).toContain('control.sock');
  },
  (SECONDS + 600) * 1000,
);

function text({ sockets, ports, rss }: ReturnType<typeof held>): string {
  return `${sockets} sockets, ${ports} ports, ${rss.toFixed(0)} MB`;
}
