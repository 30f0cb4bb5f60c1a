import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/library/index.ts';
import { FORKS } from '../../src/protocol/forks/index.ts';
import { Home, node, root, rpc } from './devnet.ts';

interface Check {
  readonly agree: boolean;
  readonly implementations: number;
  readonly divergence: {
    chain: string;
    block: number;
    nodes: string[];
    kind: 'hash' | 'refused' | 'behind';
    fields: string[];
    reason: string;
    explanation?: object;
  } | null;
}

const nodes = {
  sequencer: { role: 'sequencer', el: 'execution-go' },
  verifier: { el: 'execution-rust' },
};

/** The part of a block that the tests read. */
interface Block {
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

interface Row {
  readonly fork: string;
  readonly time: number;
  readonly block: number;
  readonly bundle: 'official' | 'unofficial' | null;
}

/** ERC-1967. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

describe('forks in mid-chain', () => {
  const home = new Home();
  let sequencer: string;
  let verifier: string;
  afterAll(() => home[Symbol.asyncDispose]());

  const upgrades = (fork: string): readonly { to: string | null; data: string }[] =>
    JSON.parse(readFileSync(join(root, 'dist', 'bundles', `${fork}.json`), 'utf8')).transactions;
  const blockAt = (number: number) => rpc<Block>(sequencer, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);
  const done = async (...args: string[]) => expect(await home.devnet(...args)).toMatchObject({ code: 0 });

  /** Checks the upgrade transactions in a fork's activation block, and the code behind each proxy that they move. */
  async function isActivated({ fork, block, time, bundle }: Row) {
    const { timestamp, transactions } = await blockAt(block);
    expect([fork, Number(timestamp)]).toEqual([fork, time]);
    const sent = bundle === null ? [] : upgrades(fork);
    // The L1 attributes stand first.
    expect([fork, transactions.length]).toEqual([fork, 1 + sent.length]);
    const statuses = await Promise.all(
      transactions.map(
        async (hash) => (await rpc<{ status: string }>(verifier, 'eth_getTransactionReceipt', hash)).status,
      ),
    );
    expect([fork, ...statuses]).toEqual([fork, ...statuses.map(() => '0x1')]);
    for (const { to, data } of sent.filter(({ data: call }) => call.startsWith('0x3659cfe6'))) {
      const word = await rpc<string>(verifier, 'eth_getStorageAt', to, IMPLEMENTATION, `0x${block.toString(16)}`);
      expect([fork, to, word]).toEqual([fork, to, `0x${data.slice(10)}`]);
      expect(await rpc<string>(verifier, 'eth_getCode', `0x${word.slice(26)}`, 'latest')).not.toBe('0x');
    }
  }

  it('each fork activates on both flavours, with its upgrade transactions, on one chain', async () => {
    const later = FORKS.filter(({ optional, name }) => !optional && name !== 'bedrock' && name !== 'karst');
    const times = Object.fromEntries(later.map(({ name }, index) => [name, { block: 3 + index }]));
    const spec = home.spec('all', {
      version: 1,
      name: 'all',
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: { main: { blockTime: 1, forks: { base: 'bedrock', ...times, karst: '+900s' }, nodes } },
    });
    const status = await home.up(spec);
    sequencer = node(status, 'sequencer').el.http;
    verifier = node(status, 'verifier').el.http;
    await done('wait', 'fork:jovian', '--timeout', '300s');
    // A plan, whose files are there before the fork is near, takes the move along. The clock stands meanwhile.
    await done('pause');
    await done('fork', 'karst=now+10s');
    await done('warp', '--to', 'fork:karst', '--past');
    await done('resume');
    const table = await home.json<Row[]>('forks');
    for (const row of table.filter(({ block }) => block > 0)) await isActivated(row);
    expect(table.filter(({ bundle }) => bundle === 'unofficial').map(({ fork }) => fork)).toEqual([
      'isthmus',
      'jovian',
      'karst',
    ]);
    await done('warp', '+6s');
    await done('wait', `safe:${table.at(-1)!.block + 2}`, '--timeout', '300s');
    await home.agrees();
  });

  it('a fork that is past moves with --rewind alone: to never, and back to an earlier time', async () => {
    const karst = (await home.json<Row[]>('forks')).find(({ fork }) => fork === 'karst')!;
    const old = await blockAt(karst.block);
    const refused = await home.devnet('fork', 'karst=never');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(
      new RegExp(`rules of blocks from ${karst.block} on, which are past: main/sequencer at block \\d+, .*verifier`),
    );
    expect(refused.stderr).toContain('run `devnet fork karst=never --rewind`');
    const handle = await connect({ name: 'all', home: home.env['DEVNET_HOME'] ?? '' });
    await expect(handle.fork({ karst: 'never' })).rejects.toMatchObject({
      code: 'past',
      hint: expect.stringContaining(`to rewind the nodes to block ${karst.block - 1} first, pass { rewind: true }`),
    });
    await done('fork', 'karst=never', '--rewind');
    await done('wait', `safe:${karst.block + 1}`, '--timeout', '300s');
    const now = await blockAt(karst.block);
    expect(now.timestamp).toBe(old.timestamp);
    expect(now.transactions).not.toEqual(old.transactions);
    await home.agrees();
    await done('fork', `karst=block:${karst.block + 1}`, '--rewind');
    await done('wait', `safe:${karst.block + 2}`, '--timeout', '300s');
    await isActivated({ ...karst, block: karst.block + 1, time: karst.time + 1 });
    await home.agrees();
  });
});

describe('a fork in mid-chain', () => {
  it('check names a verifier that activates it late, with the block and the fields', async () => {
    await using home = new Home();
    const spec = home.spec('late', {
      version: 1,
      name: 'late',
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: {
        main: {
          blockTime: 1,
          forks: { base: 'granite', holocene: '+20s' },
          nodes: { ...nodes, late: { el: 'execution-rust', override: { holocene: '+60s' } } },
        },
      },
    });
    const { l1 } = await home.up(spec);
    const before = await rpc<string>(l1.rpc, 'evm_snapshot');
    expect((await home.devnet('warp', '--to', 'fork:holocene', '--past')).code).toBe(0);
    // From there on it has its own block 20, derived from L1.
    expect((await home.devnet('wait', 'safe:20', '@late', '--timeout', '300s')).code).toBe(0);
    const outcome = await home.devnet('check', '--explain', '--json');
    expect(outcome.code, outcome.stderr).toBe(1);
    const { agree, divergence } = JSON.parse(outcome.stdout) as Check;
    expect(agree).toBe(false);
    expect(divergence).toMatchObject({
      chain: 'main',
      block: 20,
      nodes: ['late'],
      kind: 'hash',
      fields: ['extraData'],
    });
    expect(divergence!.explanation).toMatchObject({
      against: 'sequencer',
      boundary: { fork: 'holocene', block: 20, distance: 0 },
      execution: { receipt: { kind: 'same' } },
      forkTimes: {
        control: { same: true },
        own: true,
        explaining: [{ changes: [{ fork: 'holocene', state: 'inactive' }] }],
      },
    });
    // The supervisor finds it by itself, and writes the same report.
    const reports = async () => (await home.json<{ reports: { path: string }[] }>('status')).reports;
    await expect.poll(reports, { interval: 200 }).toHaveLength(1);
    // If it began with a refusal, it is written again when the node has a block of its own.
    await expect
      .poll(async () => readFileSync((await reports())[0]!.path, 'utf8'), { interval: 200 })
      .toContain('holocene not active at block 20 (later or never)');
    const check = await home.devnet('check');
    expect(check.code).toBe(1);
    expect(check.stderr + check.stdout).toMatch(/late/);

    // A return to before that block ends it, although no later block can show that the nodes agree.
    const problems = async () => (await home.json<{ problems: unknown[] }>('status')).problems;
    await expect.poll(problems, { interval: 200 }).not.toEqual([]);
    expect((await home.devnet('pause')).code).toBe(0);
    expect(await rpc(l1.rpc, 'evm_revert', before)).toBe(true);
    await expect.poll(problems, { interval: 200 }).toEqual([]);
    await home.agrees();

    // It starts with what it has, also if the nodes differ: a user looks for the cause.
    expect((await home.devnet('resume')).code).toBe(0);
    expect((await home.devnet('warp', '--to', 'fork:holocene', '--past')).code).toBe(0);
    expect((await home.devnet('wait', 'safe:20', '@late', '--timeout', '300s')).code).toBe(0);
    expect((await home.devnet('stop')).code).toBe(0);
    const again = await home.devnet('start', '--ready-budget', '300s');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('the nodes start with data that differ')]);
    await expect.poll(problems, { interval: 200 }).not.toEqual([]);
    expect((await home.devnet('check')).code).toBe(1);
  });
});
