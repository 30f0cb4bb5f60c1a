import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { Home } from './devnet.ts';
import { NO_UNITS, Units } from './support/units.ts';

const L1 = 'http://l1:8545';
const SEQUENCER = 'http://main-sequencer-el:9545';
const VERIFIER = 'http://main-verifier-el:9555';
/** Why the tests are skipped, for their titles. */
const BECAUSE = NO_UNITS === undefined ? '' : ` (${NO_UNITS})`;

const UNTIL = { timeout: 120_000, interval: 200 };

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
}

interface SyncStatus {
  readonly safe_l2: { readonly number: number };
}

async function exported(home: Home) {
  const out = join(home.folder, 'net');
  const { code, stderr } = await home.devnet(
    'export',
    'compose',
    home.spec('net', { name: 'net', seed: 7 }),
    '--out',
    out,
  );
  expect(code, stderr).toBe(0);
  const { services } = parse(readFileSync(join(out, 'docker-compose.yml'), 'utf8')) as {
    services: Record<string, object>;
  };
  return { out, names: Object.keys(services) };
}

describe.skipIf(NO_UNITS !== undefined)(`units beside one another${BECAUSE}`, () => {
  it('an exported network agrees, and an empty verifier derives its chain again', { timeout: 400_000 }, async () => {
    await using home = new Home();
    const { out, names } = await exported(home);
    await using units = new Units(out, names);
    await units.open();
    // The order of an engine is not certain: those that wait start first.
    const ready = (name: string, port: number) =>
      units.output('curl', '--noproxy', '*', '-s', `http://${name}:${port}/readyz`).trim();
    const [first, second] = ['main-verifier-cl', 'main-verifier-el'];
    for (const name of names.toReversed()) if (name !== first && name !== second) units.start(name);
    await vi.waitUntil(() => ready('main-sequencer-cl', 9547) === '0 of 1 static peers are connected', UNTIL);
    for (const name of [first, second]) units.start(name);
    const block = (url: string, number: string) => units.call<Block>(url, 'eth_getBlockByNumber', number, false);
    const safeHead = () =>
      units.call<SyncStatus>('http://main-verifier-cl:9557', 'optimism_syncStatus')?.safe_l2.number ?? 0;
    await vi.waitUntil(() => safeHead() >= 3, UNTIL);
    await vi.waitUntil(() => names.every((name) => units.health(name) === 0), UNTIL);
    for (const [name, port] of [
      ['l1', 5052],
      ['main-sequencer-el', 9545],
      ['main-sequencer-cl', 9547],
      ['main-batcher', 9540],
      ['main-proposer', 9541],
    ] as const)
      expect(ready(name, port), name).toBe('ready');
    const third = block(VERIFIER, '0x3');
    expect(third?.hash).toBe(block(SEQUENCER, '0x3')?.hash);

    // One machine that runs the same spec from the same time has the same chain.
    const time = Number(block(L1, '0x0')?.timestamp);
    const plan = await home.devnet(
      'plan',
      home.spec('net', { name: 'net', seed: 7, time: { genesis: time } }),
      '--json',
    );
    const { network } = JSON.parse(plan.stdout) as {
      network: { l1: { genesisHash: string }; chains: { genesisHash: string }[] };
    };
    expect(block(L1, '0x0')?.hash).toBe(network.l1.genesisHash);
    expect(block(VERIFIER, '0x0')?.hash).toBe(network.chains[0]?.genesisHash);

    // No method tears L1 from L2, and no other name is served.
    expect(
      units.output(
        'curl',
        '--noproxy',
        '*',
        '-s',
        '-d',
        '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}',
        '-H',
        'content-type: application/json',
        L1,
      ),
    ).toContain('needs a supervisor');
    expect(units.output('curl', '--noproxy', '*', '-s', '-H', 'Host: other.example', SEQUENCER)).toContain(
      'invalid host',
    );

    expect(await units.stop('l1')).toBe(0);
    await units.stop('main-verifier-cl', 'SIGKILL');
    await units.stop('main-verifier-el', 'SIGKILL');
    units.start('l1');
    units.start('main-verifier-el', 'empty-el');
    units.start('main-verifier-cl', 'empty-cl');
    const before = Number(block(SEQUENCER, 'latest')?.number);
    await vi.waitUntil(() => safeHead() > before, UNTIL);
    expect(block(VERIFIER, '0x3')).toEqual(third);
    expect(units.words('l1')).not.toContain('"L1 is where it was" number=0');
  });

  it('a unit refuses what it cannot run, and says what was expected', { timeout: 400_000 }, async () => {
    await using home = new Home();
    const { out, names } = await exported(home);
    await using units = new Units(out, names);
    await units.open();
    units.start('main-other-el');
    await vi.waitUntil(() => units.words('main-other-el').includes('the network has no unit "main-other-el"'), UNTIL);
    expect(units.words('main-other-el')).toContain('expected one of l1, main-sequencer-el');
    units.start('l1');
    units.start('main-batcher');
    await vi.waitUntil(() => units.health('main-batcher') === 0, UNTIL);
    units.start('main-proposer', 'main-batcher');
    await vi.waitUntil(() => units.words('main-proposer').includes('the volume holds the data of'), UNTIL);
  });
});
