import { expect, it } from 'vitest';
import { placeOf } from './clients.ts';

/** Limit (ms) of the network. */
const TEST_TIMEOUT_MS = 1_200_000;

/** Slots of L1 at which its forks activate, each the first of an epoch. */
const AT = { prague: 16, osaka: 32, bpo1: 48 };
/** The slot at which the test looks. */
const END_SLOT = 56;
const SLOT_SECONDS = 4;

const geth = placeOf('geth');
const lodestar = placeOf('lodestar');
const absent = [geth, lodestar].filter((one) => typeof one === 'string');
const title =
  'an L1 of geth and lodestar that crosses prague, osaka and bpo1 carries blobs, and a late verifier derives';

interface L1Block {
  readonly timestamp: string;
  readonly blobGasUsed: string;
}

if (typeof geth === 'string' || typeof lodestar === 'string') it.skip(`${title} (${absent.join('; ')})`, () => {});
else
  it(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const { Home, rpc } = await import('../e2e/devnet.ts');
    await using home = new Home();
    const forks = Object.fromEntries(Object.entries(AT).map(([fork, block]) => [fork, { block }]));
    const beacon = lodestar.launch;
    const spec = home.spec('real-forks', {
      ...{ version: 1, name: 'real-forks', ports: 'auto' },
      l1: { ...geth.launch, blockTime: SLOT_SECONDS, forks: { base: 'cancun', ...forks }, beacon },
      chains: { main: { blockTime: 1, batcher: { da: 'blobs' }, nodes: { s: { role: 'sequencer' } } } },
    });
    await home.up(spec);
    const of = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await home.devnet(...words);
      expect(code, `${words.join(' ')}: ${stderr}`).toBe(0);
      return stdout + stderr;
    };
    const end = END_SLOT * SLOT_SECONDS;
    await of('wait', `safe:${end}`, '--timeout', '900s');
    await of('node', 'add', 'late', '--peers', 'none');
    await of('wait', `safe:${end}`, '@late', '--timeout', '600s');
    expect(await of('check')).toContain('all nodes agree');

    const { l1 } = await home.status();
    const blockAt = (number: number) => rpc<L1Block>(l1.rpc, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);
    const genesis = Number((await blockAt(0)).timestamp);
    const head = Number(await rpc<string>(l1.rpc, 'eth_blockNumber'));
    const blocks = await Promise.all(Array.from({ length: head }, (_, at) => blockAt(at + 1)));
    const slotsWithBlobs = blocks
      .filter(({ blobGasUsed }) => Number(blobGasUsed) > 0)
      .map(({ timestamp }) => (Number(timestamp) - genesis) / SLOT_SECONDS);
    const forksWithBlobs = Object.entries(AT).map(([fork, from], at, all) => {
      const to = all[at + 1]?.[1] ?? Number.POSITIVE_INFINITY;
      return [fork, slotsWithBlobs.some((slot) => slot >= from && slot < to)];
    });
    expect(forksWithBlobs).toEqual(Object.keys(AT).map((fork) => [fork, true]));
    await of('down');
  });
