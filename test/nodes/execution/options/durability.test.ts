import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOptions } from '../../../../src/nodes/execution/options/options.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info, type Payload } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, LOGGER, upTo } from '../support/genesis.ts';
import { Lives, lifeArbitrary } from '../support/lives.ts';
import { JWT, launch, temporaryFolder } from '../support/nodes.ts';
import { listening, run } from '../support/process.ts';
import { topic } from '../support/sample-chain.ts';

const schedule = upTo('jovian');
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'genesis.json'), genesisText(schedule));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ARGUMENTS = ['--http', '--http.port=0', '--authrpc.port=0', '--http.api=eth,debug'];
const start = () =>
  run(
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'data')}`,
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
    ...ARGUMENTS,
  );

test('an execution client has every acknowledged block with its state after kill -9 at any moment', async () => {
  const lives = new Lives(start);
  for (const life of fc.sample(lifeArbitrary, { seed: 11, numRuns: 4 })) await lives.live(life);
  await lives.rest();
});

test('a large block is unknown after an interrupted write, and is stored when it arrives again', async () => {
  const writer = '0x000000000000000000000000000000000000317e';
  // A loop: n = count, then n = n - 1 and storage[first + n] = 1 while n > 0. Data: first, count.
  const code = '0x6020355b600190038060003501600190558060035700';
  const genesis = genesisText(schedule, { [writer]: { balance: '0x0', code } });
  const data = `0x${'0'.repeat(64)}${(1000).toString(16).padStart(64, '0')}` as Hex;
  const transactions = [l1Info(1), deposit({ to: writer, data, gas: 29_000_000 })];
  const datadir = join(folder, 'large');
  mkdirSync(datadir);
  let payload: Payload | undefined;
  for (let length = 1, isWhole = false; !isWhole; length++) {
    await using node = await launch(genesis, { datadir, keep: true });
    const driver = new Driver(node.engine, schedule);
    const parent = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false])).hash;
    if (payload === undefined) {
      const { payloadId } = await driver.makeCanonical(parent, driver.attributes(GENESIS_TIME + 2, transactions));
      payload = await driver.payload(payloadId!, GENESIS_TIME + 2);
    }
    const { hash } = payload;
    expect(await node.rpc.call('eth_getBlockByHash', [hash, false])).toBeNull();
    const { store } = node.node.context.chain;
    const whole = store.insertWithState.bind(store);
    store.insertWithState = function* (block, diff) {
      const steps = whole(block, diff);
      for (let done = 0; done < length; done++) {
        isWhole = steps.next().done === true;
        if (isWhole) return;
        expect(node.node.context.chain.header(hash)).toBeUndefined();
        yield;
      }
      throw new Error('the disk is full');
    };
    const answer = driver.import(payload).then(({ status }) => status);
    if (
      await answer.then(
        () => false,
        (error: Error) => error.message === 'the disk is full',
      )
    )
      continue;
    expect(await answer).toBe('VALID');
    expect(length).toBeGreaterThan(2);
    await driver.makeCanonical(hash);
    expect(await node.rpc.call('eth_getStorageAt', [writer, '0x3e7', 'latest'])).toBe(`0x${'1'.padStart(64, '0')}`);
    expect((await node.rpc.call<unknown[]>('eth_getBlockReceipts', [hash])).length).toBe(2);
  }
});

test('index rows of a head that is not chosen have no effect, also after a restart', async () => {
  const datadir = join(folder, 'indexed');
  mkdirSync(datadir);
  const many = () => Array.from({ length: 150 }, (_, at) => deposit({ to: LOGGER, data: topic(at), gas: 50_000 }));
  const sent = many();
  const orders = [sent, sent.toReversed(), many()];
  for (const steps of [1, Number.POSITIVE_INFINITY]) {
    await using node = await launch(genesisText(schedule), { datadir, keep: true });
    const driver = new Driver(node.engine, schedule);
    const genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
    await driver.makeCanonical(genesis);
    const [one, two, other] = await Promise.all(
      orders.map(async (order, at) => {
        const time = GENESIS_TIME + 2 * (at + 1);
        const { payloadId } = await driver.makeCanonical(genesis, driver.attributes(time, [l1Info(1), ...order]));
        return driver.payload(payloadId!, time);
      }),
    );
    for (const payload of [one!, two!, other!]) expect(await driver.import(payload)).toMatchObject({ status: 'VALID' });
    const hashes = sent.map((raw) => keccak256(hexToBytes(raw)));
    const places = () =>
      Promise.all(
        hashes.map(async (hash) => {
          const receipt = await node.rpc.call<Record<string, Hex> | null>('eth_getTransactionReceipt', [hash]);
          return receipt && [receipt['blockHash'], Number(receipt['transactionIndex'])];
        }),
      );
    const logs = () => node.rpc.call<{ blockHash: Hex }[]>('eth_getLogs', [{ fromBlock: '0x0', address: LOGGER }]);
    const { store } = node.node.context.chain;
    const whole = store.indexing.bind(store);
    store.indexing = function* (block) {
      const rows = whole(block);
      for (let done = 0; done < steps && rows.next().done !== true; done++) yield;
      throw new Error('the disk is full');
    };
    await expect(driver.makeCanonical(one!.hash)).rejects.toThrow('the disk is full');
    store.indexing = whole;
    expect(await node.rpc.call('eth_blockNumber', [])).toBe('0x0');
    expect([await places(), await logs()]).toEqual([hashes.map(() => null), []]);
    await driver.makeCanonical(other!.hash);
    expect(await places()).toEqual(hashes.map(() => null));
    await driver.makeCanonical(genesis);
    for (const [head, order] of [
      [two!, orders[1]!],
      [one!, orders[0]!],
    ] as const) {
      await driver.makeCanonical(head.hash);
      expect(await places()).toEqual(sent.map((raw) => [head.hash, order.indexOf(raw) + 1]));
      expect((await logs()).map(({ blockHash }) => blockHash)).toEqual(sent.map(() => head.hash));
    }
    await driver.makeCanonical(genesis);
    expect(await places()).toEqual(hashes.map(() => null));
  }
});

test('a client refuses a datadir that is in use, another genesis, a newer store and a port in use', async () => {
  const program = start();
  const { http } = await listening(program);
  const second = start();
  expect(await second.exit).toBe(4);
  expect(second.stderr()).toMatch(new RegExp(`is open in another process \\(pid ${program.child.pid}\\)`));
  program.child.kill('SIGTERM');
  expect(await program.exit).toBe(0);

  writeFileSync(
    join(folder, 'other.json'),
    genesisText(schedule, { '0x00000000000000000000000000000000000000ff': { balance: '0x1' } }),
  );
  const other = run('init', `--datadir=${join(folder, 'data')}`, join(folder, 'other.json'));
  expect(await other.exit).toBe(2);
  expect(other.stderr()).toMatch(/holds another chain/);

  await using occupant = await launch(genesisText(schedule));
  const clash = run(
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'data')}`,
    '--http',
    `--http.port=${occupant.node.ports.http}`,
    '--authrpc.port=0',
  );
  expect(await clash.exit).toBe(4);
  expect(clash.stderr()).toMatch(/the port is in use/);
  expect(http).toBeGreaterThan(0);

  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(join(folder, 'data', 'chain.db'));
  db.prepare("UPDATE meta SET value = ? WHERE key = 'version'").run(Buffer.from('99'));
  db.close();
  const unknownApi = run(
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'fresh')}`,
    '--http',
    '--http.api=eth,nothing',
    '--authrpc.port=0',
    '--http.port=0',
  );
  expect(await unknownApi.exit).toBe(2);
  expect(unknownApi.stderr()).toMatch(/names nothing; served are eth, net/);
  const newer = start();
  expect(await newer.exit).toBe(1);
  expect(newer.stderr()).toMatch(/store version 99, this program reads version \d+/);
});

test('a client refuses fork times that contradict the blocks it executed, and takes those that do not', async () => {
  const genesis = genesisText(upTo('isthmus'));
  const datadir = join(folder, 'moved');
  mkdirSync(datadir);
  const open = (overrides: ForkSchedule) => launch(genesis, { datadir, keep: true, overrides });
  const late = GENESIS_TIME + 1000;
  {
    await using node = await open({ jovian: late });
    const driver = new Driver(node.engine, upTo('isthmus'));
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    await driver.build(hash, GENESIS_TIME + 2, [l1Info(1)]);
  }
  for (const [jovian, isthmus] of [
    [GENESIS_TIME + 2, 0],
    [late, GENESIS_TIME + 1],
    [late, late],
  ] as const)
    await expect(open({ jovian, isthmus })).rejects.toMatchObject({
      code: 'genesis-mismatch',
      message: expect.stringMatching(/blocks up to 1 were executed with \w+ at \d+, the options now set \d+/),
    });
  for (const overrides of [{ jovian: GENESIS_TIME + 3 }, { jovian: late, isthmus: GENESIS_TIME }, {}])
    await (await open(overrides))[Symbol.asyncDispose]();
});

test('a client initialises by a separate command and shares the genesis state through the cache', async () => {
  const cache = join(folder, 'cache');
  const common = ['--flavour=go', `--genesis-cache=${cache}`];
  const inits = ['a', 'b', 'c'].map((name) =>
    run('init', ...common, `--datadir=${join(folder, name)}`, join(folder, 'genesis.json')),
  );
  for (const init of inits) expect(await init.exit, init.stderr()).toBe(0);
  const empty = run('--flavour=go', `--datadir=${join(folder, 'd')}`, '--authrpc.port=0');
  expect(await empty.exit).toBe(2);
  expect(empty.stderr()).toMatch(/holds no chain/);
  const program = run('--flavour=go', `--datadir=${join(folder, 'b')}`, ...ARGUMENTS);
  const { http } = await listening(program);
  const rpc = patientClient({ url: `http://127.0.0.1:${http}` });
  expect(await rpc.call('eth_getBalance', [ACCOUNTS[0]!.address, 'earliest'])).toBe(`0x${(10n ** 22n).toString(16)}`);
  rpc.close();
  program.child.kill('SIGTERM');
  expect(await program.exit).toBe(0);
});

test.each([
  [['--flavour=blue'], /one of rust, go/],
  [['--http.port=99999'], /a port from 0 to 65535/],
  [['--override.jovian=soon'], /override.jovian/],
  [['--syncmode=snap'], /one of full/],
])('an execution client names the problem of %j', (argv, words) => {
  expect(() => readOptions(argv, {})).toThrow(words);
});

test('an execution client reads options of the environment, and each fork by name', () => {
  const { values, overrides } = readOptions(['--override.jovian=0', '-http.api=eth, net'], {
    EXECUTION_CLIENT_HTTP_PORT: '7',
    EXECUTION_CLIENT_OVERRIDE_ISTHMUS: '5',
  });
  expect(values.httpPort).toBe(7);
  expect(values.httpApi).toEqual(['eth', 'net']);
  expect(overrides).toEqual({ isthmus: 5, jovian: 0 });
});

test('a genesis file may change a fork time that options set, before and after', async () => {
  const [optionTime, fileTime] = [GENESIS_TIME + 4, GENESIS_TIME + 2];
  const datadir = folder;
  const start = (jovian: number, overrides = {}) =>
    launch(genesisText({ ...upTo('isthmus'), jovian }), { datadir, keep: true, overrides });
  {
    await using node = await start(fileTime, { jovian: optionTime });
    const driver = new Driver(node.engine, { ...upTo('isthmus'), jovian: optionTime });
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    const one = await driver.build(hash, GENESIS_TIME + 2, [l1Info(1)]);
    await driver.build(one.hash, GENESIS_TIME + 4, [l1Info(2)]);
  }
  for (const [jovian, overrides] of [
    [GENESIS_TIME + 50, { jovian: optionTime }],
    [optionTime, {}],
    [GENESIS_TIME + 50, { jovian: optionTime }],
  ] as const) {
    await using node = await start(jovian, overrides);
    expect(await node.rpc.call('eth_blockNumber')).toBe('0x2');
  }
  await expect(start(fileTime)).rejects.toThrow(/executed with jovian at 1700000004, the genesis file says 1700000002/);
});

test('a client takes later fork times from a genesis file, and rejects those that its blocks contradict', async () => {
  const before = { ...upTo('isthmus'), jovian: GENESIS_TIME + 4 };
  const datadir = folder;
  {
    await using node = await launch(genesisText(before), { datadir, keep: true });
    const driver = new Driver(node.engine, before);
    const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
    const one = await driver.build(hash, GENESIS_TIME + 2, [l1Info(1)]);
    await driver.build(one.hash, GENESIS_TIME + 4, [l1Info(2)]);
  }
  const later = { ...before, karst: GENESIS_TIME + 100 };
  {
    await using node = await launch(genesisText(later), { datadir, keep: true });
    expect(await node.rpc.call('debug_chainConfig')).toMatchObject({ karstTime: GENESIS_TIME + 100 });
    expect(await node.rpc.call('eth_blockNumber')).toBe('0x2');
  }
  for (const [jovian, words] of [
    [GENESIS_TIME + 50, /up to 2 were executed with jovian at 1700000004, the genesis file says 1700000050/],
    [undefined, /the genesis file says no time/],
  ] as const) {
    const { jovian: _, ...rest } = before;
    const other = genesisText(jovian === undefined ? rest : { ...rest, jovian });
    await expect(launch(other, { datadir, keep: true })).rejects.toThrow(words);
  }
});
