import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { encodeBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { encodeHeader } from '../../../../src/protocol/codec/header.ts';
import { payloadHeader } from '../../../../src/protocol/codec/payload-header.ts';
import { envelopeFromJson } from '../../../../src/protocol/codec/payload-json.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { type MethodTable, method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { forgePayload } from '../support/forge-payload.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { JWT, launch, type TestNode, temporaryFolder } from '../support/nodes.ts';
import { listening, type Program, run } from '../support/process.ts';

const schedule = upTo('jovian');
const LENGTH = 150;
let source: TestNode;
let builder: Driver;
let genesis: Hex;
/** The canonical chain of the source, and a side chain from its third block on. */
const blocks: Payload[] = [];
const beside: Payload[] = [];

async function extend(chain: Payload[], parent: { hash: Hex; number: number }, count: number, salt: number) {
  let at = parent;
  for (let index = 0; index < count; index++) {
    const number = at.number + 1;
    const forced = [l1Info(salt + number), deposit({ mint: 1n, value: 1n, to: ACCOUNTS[4]!.address })];
    at = await builder.build(at.hash, GENESIS_TIME + 2 * number, forced, { fields: { noTxPool: true } });
    chain.push(at as Payload);
  }
}

beforeAll(async () => {
  source = await launch(genesisText(schedule), { flavour: 'go' });
  builder = new Driver(source.engine, schedule);
  genesis = (await source.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  await extend(blocks, { hash: genesis, number: 0 }, LENGTH, 0);
  await extend(beside, blocks[2]!, 20, 5000);
  await builder.makeCanonical(blocks.at(-1)!.hash);
});
afterAll(() => source[Symbol.asyncDispose]());

/** Requests the head until it is reached or invalid. */
async function reach(driver: Driver, head: Hex) {
  const ask = async () => (await driver.makeCanonical(head)).payloadStatus;
  expect((await ask()).status).toBe('SYNCING');
  await expect.poll(async () => (await ask()).status).not.toBe('SYNCING');
  return ask();
}

describe('as processes', () => {
  const folder = temporaryFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts a client without blocks, whose only peer is the source. */
  function start(): Program {
    writeFileSync(join(folder, 'genesis.json'), genesisText(schedule));
    writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
    return run(
      `--chain=${join(folder, 'genesis.json')}`,
      `--datadir=${join(folder, 'data')}`,
      `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
      '--authrpc.port=0',
      `--sync.peers=${source.url}`,
      '--http',
      '--http.port=0',
    );
  }

  test('an execution client fetches missing blocks, resumes after kill -9, and ends with the same chain', async () => {
    const head = blocks.at(-1)!;
    const connect = async (program: Program) => {
      const ports = await listening(program);
      const engine = patientClient({ url: `http://127.0.0.1:${ports.engine}`, jwtSecret: JWT });
      return {
        driver: new Driver(engine, schedule),
        rpc: patientClient({ url: `http://127.0.0.1:${ports.http}` }),
        engine,
      };
    };
    const first = start();
    const one = await connect(first);
    expect((await one.driver.makeCanonical(head.hash)).payloadStatus.status).toBe('SYNCING');
    for (let current = 0; current < 20; ) {
      const status = await one.rpc.call<{ currentBlock: Hex; highestBlock: Hex }>('eth_syncing');
      current = Number(status.currentBlock);
      if (Number(status.highestBlock) === 0) continue;
      expect(status.highestBlock).toBe(`0x${LENGTH.toString(16)}`);
    }
    first.child.kill('SIGKILL');
    await first.exit;
    one.engine.close();
    one.rpc.close();

    const second = start();
    const two = await connect(second);
    expect(await reach(two.driver, head.hash)).toMatchObject({ status: 'VALID', latestValidHash: head.hash });
    expect(Number(/fetching blocks.*from=(\d+)/.exec(second.stderr())?.[1])).toBeGreaterThan(20);
    for (const number of [1, 60, LENGTH]) {
      const tag = `0x${number.toString(16)}`;
      expect(await two.rpc.call('eth_getBlockByNumber', [tag, false])).toMatchObject({
        hash: blocks[number - 1]!.hash,
      });
      expect(await two.rpc.call('eth_getBalance', [ACCOUNTS[4]!.address, tag])).toBe(
        await source.rpc.call('eth_getBalance', [ACCOUNTS[4]!.address, tag]),
      );
    }
    two.engine.close();
    two.rpc.close();
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
  });
});

/** Starts a peer whose responses `twist` changes. */
async function peer(
  twist: (name: string, param: Hex, answer: Hex | undefined) => Hex | null | Promise<Hex | null>,
): Promise<RunningServer> {
  const methods: MethodTable<null> = Object.fromEntries(
    ['debug_getRawHeader', 'debug_getRawBlock'].map((name) => [
      name,
      method('', z.tuple([z.string()]), async (_: null, [param]) => {
        const answer = await source.rpc.call<Hex>(name, [param]).catch(() => undefined);
        return twist(name, param as Hex, answer);
      }),
    ]),
  );
  return serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: null });
}

test.each([
  [
    'go',
    { startingBlock: '0x0', currentBlock: '0x0', highestBlock: '0x28', syncedAccounts: '0x0' },
    { syncing: true, status: { StartingBlock: 0, CurrentBlock: 0, HighestBlock: 40, SyncedAccounts: 0 } },
    false,
  ],
  [
    'rust',
    { startingBlock: '0x0', currentBlock: '0x0', highestBlock: '0x28', stages: expect.any(Array) },
    { syncing: true, startingBlock: 0, currentBlock: 0, highestBlock: 40 },
    { currentBlock: '0x28', highestBlock: '0x28' },
  ],
] as const)(
  'an execution client reports syncing and in sync as the %s client does',
  async (flavour, during, notice, after) => {
    const gate = Promise.withResolvers<void>();
    const slow = await peer(async (name, _, answer) => {
      if (name === 'debug_getRawBlock') await gate.promise;
      return answer ?? null;
    });
    await using node = await launch(genesisText(schedule), { flavour, peers: [`http://127.0.0.1:${slow.port}`] });
    const socket = webSocketClient({ url: node.wsUrl });
    const notices: unknown[] = [];
    await socket.subscribe(
      ['syncing'],
      (item) => notices.push(item),
      () => {},
    );
    await expect.poll(() => notices).toEqual([false]);
    const driver = new Driver(node.engine, schedule);
    expect((await driver.makeCanonical(blocks[39]!.hash)).payloadStatus.status).toBe('SYNCING');
    await expect.poll(() => notices).toHaveLength(2);
    expect(notices[1]).toMatchObject(notice);
    expect(await node.rpc.call('eth_syncing')).toMatchObject(during);
    gate.resolve();
    await expect.poll(() => notices).toHaveLength(3);
    expect(notices[2]).toBe(false);
    await expect.poll(() => node.rpc.call('eth_blockNumber')).toBe('0x28');
    const progress = await node.rpc.call('eth_syncing');
    if (after === false) expect(progress).toBe(false);
    else expect(progress).toMatchObject(after);
    socket.close();
    await slow.close();
  },
);

test('an execution client follows a head that is beside its peer’s canonical chain', async () => {
  await using node = await launch(genesisText(schedule), { peers: [source.url] });
  const head = beside.at(-1)!;
  expect(await reach(new Driver(node.engine, schedule), head.hash)).toMatchObject({ status: 'VALID' });
  expect(await node.rpc.call('eth_blockNumber')).toBe(`0x${head.number.toString(16)}`);
});

test('a client gets the newest payload from its rollup node and the rest from peers, except bad ones', async () => {
  const liar = await peer((name, _, answer) => {
    if (answer === undefined || name === 'debug_getRawHeader') return answer ?? null;
    const bytes = hexToBytes(answer);
    bytes[bytes.length - 20]! ^= 1;
    return bytesToHex(bytes);
  });
  const poor = await peer(() => null);
  const peers = ['http://127.0.0.1:9', `http://127.0.0.1:${liar.port}`, `http://127.0.0.1:${poor.port}`, source.url];
  await using node = await launch(genesisText(schedule), { peers });
  const driver = new Driver(node.engine, schedule);
  const head = blocks[40]!;
  expect((await driver.import(head)).status).toBe('SYNCING');
  expect(await reach(driver, head.hash)).toMatchObject({ status: 'VALID', latestValidHash: head.hash });
  await liar.close();
  await poor.close();
});

test('a chain with an invalid block is refused with its last valid block', async () => {
  const bad = forgePayload(schedule, blocks[4]!, { stateRoot: `0x${'ab'.repeat(32)}` });
  const head = forgePayload(schedule, blocks[5]!, { parentHash: bad.hash });
  const raw = new Map(
    [bad, head].map(({ hash, envelope, timestamp }) => {
      const header = payloadHeader(envelopeFromJson(envelope), rulesAt(schedule, timestamp));
      const transactions = (envelope.executionPayload['transactions'] as Hex[]).map(hexToBytes);
      return [hash, { header: encodeHeader(header), block: encodeBlock({ header, transactions, withdrawals: [] }) }];
    }),
  );
  const wrong = await peer((name, param, answer) => {
    const encoding = raw.get(param);
    if (encoding === undefined) return answer ?? null;
    return bytesToHex(name === 'debug_getRawHeader' ? encoding.header : encoding.block);
  });
  await using node = await launch(genesisText(schedule), { peers: [`http://127.0.0.1:${wrong.port}`] });
  const driver = new Driver(node.engine, schedule);
  const status = { status: 'INVALID', latestValidHash: blocks[3]!.hash };
  expect(await reach(driver, head.hash)).toMatchObject(status);
  expect((await driver.import(head)).latestValidHash).toBe(blocks[3]!.hash);
  await wrong.close();
});
