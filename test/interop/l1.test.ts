import { expect, it } from 'vitest';
import { placeOf } from './clients.ts';

/** Limit (ms) of the network. */
const TEST_TIMEOUT_MS = 900_000;

const geth = placeOf('geth');
const lodestar = placeOf('lodestar');
const absent = [geth, lodestar].filter((one) => typeof one === 'string');
const title = 'an L1 of geth and lodestar carries blobs and deposits of a network of ours, and becomes final';

if (typeof geth === 'string' || typeof lodestar === 'string') it.skip(`${title} (${absent.join('; ')})`, () => {});
else
  it(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const { Home, rpc } = await import('../e2e/devnet.ts');
    await using home = new Home();
    const spec = home.spec('real-l1', {
      ...{ version: 1, name: 'real-l1', ports: 'auto' },
      l1: { ...geth.launch, hardfork: 'cancun', beacon: lodestar.launch },
      chains: { main: { blockTime: 1, batcher: { da: 'blobs' }, nodes: { s: { role: 'sequencer' }, v: {} } } },
    });
    await home.up(spec);
    const of = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await home.devnet(...words);
      expect(code, `${words.join(' ')}: ${stderr}`).toBe(0);
      return stdout + stderr;
    };
    expect(await of('deposit', `0x${'aa'.repeat(20)}`, '5gwei')).toContain('success');
    await of('wait', 'safe:20', '--timeout', '300s');
    await of('wait', 'finalized:1', '--timeout', '300s');
    expect(await of('check')).toContain('all nodes agree');
    const warp = await home.devnet('warp', '60s');
    expect(warp.code).not.toBe(0);
    expect(warp.stderr).toContain("l1 (geth), l1-beacon (lodestar) read the machine's clock");

    const { l1, chains } = await home.status();
    for (const { el } of chains.flatMap(({ nodes }) => nodes))
      expect(BigInt(await rpc<string>(el.http, 'eth_getBalance', `0x${'aa'.repeat(20)}`, 'latest'))).toBe(
        5n * 10n ** 9n,
      );
    const batcher = chains[0]?.accounts.find(({ role }) => role === 'batcher')?.address.toLowerCase();
    const head = Number(await rpc<string>(l1.rpc, 'eth_blockNumber'));
    const blocks = await Promise.all(
      Array.from({ length: head }, (_, at) =>
        rpc<{ transactions: { from: string; type: string }[] }>(
          l1.rpc,
          'eth_getBlockByNumber',
          `0x${(at + 1).toString(16)}`,
          true,
        ),
      ),
    );
    const batches = blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => from === batcher);
    expect(new Set(batches.map(({ type }) => type))).toEqual(new Set(['0x3']));
    await of('down');
  });
