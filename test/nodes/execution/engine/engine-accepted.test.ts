import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { Driver, l1Info, type Payload } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { JWT, launch, type TestNode, temporaryFolder } from '../support/nodes.ts';
import { listening, run } from '../support/process.ts';

const schedule = upTo('jovian');
/** The state of this block is the newest pruned one under a head 128 blocks above it. */
const PARENT = 1;
const HEAD = PARENT + 128;

let source: TestNode;
let builder: Driver;
let genesis: Hex;
const chain: Payload[] = [];
/** Side blocks on the blocks `PARENT` and `PARENT + 1`. */
let beyond: Payload;
let within: Payload;

async function build(parent: { hash: Hex; number: number }, branch: number): Promise<Payload> {
  const time = GENESIS_TIME + 2 * (parent.number + 1);
  return builder.build(parent.hash, time, [l1Info(branch * 1000 + parent.number)], { fields: { noTxPool: true } });
}

beforeAll(async () => {
  source = await launch(genesisText(schedule));
  builder = new Driver(source.engine, schedule);
  genesis = (await source.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  for (let at = { hash: genesis, number: 0 }; at.number < HEAD; at = chain.at(-1)!) chain.push(await build(at, 1));
  await builder.makeCanonical(chain[PARENT - 1]!.hash);
  beyond = await build(chain[PARENT - 1]!, 2);
  await builder.makeCanonical(chain[PARENT]!.hash);
  within = await build(chain[PARENT]!, 2);
});
afterAll(() => source[Symbol.asyncDispose]());

/** Starts a node whose head is the newest block of the chain. */
async function atHead(options: Parameters<typeof launch>[1]): Promise<{ node: TestNode; driver: Driver }> {
  const node = await launch(genesisText(schedule), options);
  const driver = new Driver(node.engine, schedule);
  for (const block of chain) await driver.import(block);
  expect((await driver.makeCanonical(chain.at(-1)!.hash)).payloadStatus.status).toBe('VALID');
  return { node, driver };
}

const accepted = { status: 'ACCEPTED', latestValidHash: null, validationError: null };
const balance = (node: TestNode, number: number) =>
  node.rpc.call('eth_getBalance', [`0x${'11'.repeat(20)}`, `0x${number.toString(16)}`]);

describe('when the go client prunes states', () => {
  test('a payload on a pruned state is ACCEPTED, its child SYNCING, and a forkchoice makes it the head', async () => {
    const { node, driver } = await atHead({ flavour: 'go', pruned: true });
    await using _ = node;
    expect(await driver.import(beyond)).toEqual(accepted);
    expect(await driver.import(beyond)).toEqual(accepted);
    const above = forgePayload(schedule, within, { parentHash: beyond.hash });
    expect((await driver.import(above)).status).toBe('SYNCING');
    expect((await driver.makeCanonical(beyond.hash)).payloadStatus).toMatchObject({
      status: 'VALID',
      latestValidHash: beyond.hash,
    });
    expect((await driver.import(beyond)).status).toBe('VALID');
    expect(await node.rpc.call('eth_blockNumber')).toBe(`0x${(PARENT + 1).toString(16)}`);
  });

  test('an accepted payload that turns out invalid stays so when it is sent again, and names its parent', async () => {
    const { node, driver } = await atHead({ flavour: 'go', pruned: true });
    await using _ = node;
    const bad = forgePayload(schedule, beyond, { stateRoot: `0x${'cd'.repeat(32)}` });
    expect(await driver.import(bad)).toEqual(accepted);
    const verdict = { status: 'INVALID', latestValidHash: chain[PARENT - 1]!.hash };
    expect((await driver.makeCanonical(bad.hash)).payloadStatus).toMatchObject(verdict);
    expect(await driver.import(bad)).toMatchObject(verdict);
    const early = forgePayload(schedule, beyond, { timestamp: '0x1' });
    expect((await driver.import(early)).status).toBe('INVALID');
  });

  test('states of the last 128 blocks and of genesis are served, and older ones are not', async () => {
    const { node, driver } = await atHead({ flavour: 'go', pruned: true });
    await using _ = node;
    expect((await driver.import(within)).status).toBe('VALID');
    for (const number of [0, PARENT + 1, HEAD]) expect(await balance(node, number)).toBe('0x0');
    const root = chain[PARENT - 1]!.envelope.executionPayload['stateRoot'] as string;
    await expect(balance(node, PARENT)).rejects.toMatchObject({
      code: -32000,
      message: `missing trie node ${root.slice(2)} (path ) state ${root} is not available, not found`,
    });
  });
});

test.each(['go', 'rust'] as const)(
  'the %s client with every state executes such a payload at once',
  async (flavour) => {
    const { node, driver } = await atHead({ flavour });
    await using _ = node;
    expect((await driver.import(beyond)).status).toBe('VALID');
    expect(await balance(node, PARENT)).toBe('0x0');
  },
);

test.each([
  ['go', 'ACCEPTED'],
  ['rust', 'VALID'],
] as const)('--flavour=%s --gcmode=full answers %s', async (flavour, status) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'genesis.json'), genesisText(schedule));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const program = run(
    `--flavour=${flavour}`,
    '--gcmode=full',
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'data')}`,
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
    '--authrpc.port=0',
  );
  const engine = patientClient({ url: `http://127.0.0.1:${(await listening(program)).engine}`, jwtSecret: JWT });
  const driver = new Driver(engine, schedule);
  for (const block of chain) await driver.import(block);
  await driver.makeCanonical(chain.at(-1)!.hash);
  expect((await driver.import(beyond)).status).toBe(status);
  engine.close();
  program.child.kill('SIGTERM');
  await program.exit;
});
