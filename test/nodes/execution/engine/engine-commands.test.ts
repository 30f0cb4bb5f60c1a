import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksIn } from '../../../../src/nodes/execution/chain/block-file.ts';
import type { Chain } from '../../../../src/nodes/execution/chain/chain.ts';
import { encodeBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { importFiles } from '../../../../src/nodes/execution/commands/import.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { Failure } from '../../../../src/system/failure.ts';
import { readPieces } from '../../../../src/system/files/byte-file.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, deposit, l1Info } from '../support/driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, STORE, upTo } from '../support/genesis.ts';
import { launch, temporaryFolder } from '../support/nodes.ts';
import { run } from '../support/process.ts';

const schedule = upTo('jovian');
const LENGTH = 12;
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const place = (name: string) => [`--datadir=${file(name)}`, `--chain=${file('genesis.json')}`];
let head: Hex;

beforeAll(async () => {
  writeFileSync(file('genesis.json'), genesisText(schedule));
  const node = await launch(genesisText(schedule), { datadir: temporaryFolder() });
  const driver = new Driver(node.engine, schedule);
  const { hash } = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  let parent = hash;
  for (let number = 1; number <= LENGTH; number++) {
    const call = {
      chainId: CHAIN_ID,
      nonce: number - 1,
      gas: 100_000n,
      to: STORE,
      data: `0x${number.toString(16).padStart(64, '0')}${'07'.padStart(64, '0')}`,
    } as const;
    const price = 10n ** 10n;
    const raw = await ACCOUNTS[0]!.signTransaction(
      number % 2 === 0
        ? { ...call, type: 'legacy', gasPrice: price }
        : { ...call, type: 'eip1559', maxFeePerGas: price },
    );
    const forced = [l1Info(number), deposit({ mint: 1n, value: 1n, to: ACCOUNTS[4]!.address }), raw];
    parent = (await driver.build(parent, GENESIS_TIME + 2 * number, forced, { fields: { noTxPool: true } })).hash;
  }
  head = parent;
  // A chain file of another program.
  const blocks: Uint8Array[] = [];
  for (let number = 0; number <= LENGTH; number++)
    blocks.push(
      Buffer.from((await node.rpc.call<Hex>('debug_getRawBlock', [`0x${number.toString(16)}`])).slice(2), 'hex'),
    );
  writeFileSync(file('chain.rlp'), Buffer.concat(blocks));
  await node[Symbol.asyncDispose]();
  const imported = run('import', ...place('full'), file('chain.rlp'));
  expect(await imported.exit, imported.stderr()).toBe(0);
  expect(imported.stderr()).toMatch(new RegExp(`imported=${LENGTH} head=${LENGTH} hash=${head}`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outcomeOf(...argv: string[]) {
  const program = run(...argv);
  return { code: await program.exit, stdout: program.stdout(), stderr: program.stderr() };
}

test('export writes the imported blocks, packed or not, whole or a range after the end of the file', async () => {
  const original = readFileSync(file('chain.rlp'));
  expect(await outcomeOf('export', ...place('full'), file('out.rlp'))).toMatchObject({ code: 0 });
  expect(readFileSync(file('out.rlp')).equals(original)).toBe(true);
  expect(await outcomeOf('export', ...place('full'), file('parts.rlp.gz'), '0', '5')).toMatchObject({ code: 0 });
  expect(await outcomeOf('export', ...place('full'), file('parts.rlp.gz'), '6', '12')).toMatchObject({ code: 0 });
  const packed = await outcomeOf('import', ...place('packed'), file('parts.rlp.gz'));
  expect(packed).toMatchObject({ code: 0, stderr: expect.stringContaining(`head=${LENGTH} hash=${head}`) });
  const again = await outcomeOf('import', ...place('packed'), file('out.rlp'));
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('imported=0 head=12') });
});

test('an execution client rolls the chain back to a block, and has none above it', async () => {
  const datadir = `--datadir=${file('back')}`;
  expect(await outcomeOf('import', ...place('back'), file('chain.rlp'))).toMatchObject({ code: 0 });
  const back = await outcomeOf('rewind', datadir, '5');
  expect(back).toMatchObject({ code: 0, stderr: expect.stringMatching(/from=12 head=5/) });
  expect(await outcomeOf('rewind', datadir, '9')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/from=5 head=5/),
  });
  // Known blocks would not be executed again.
  const again = await outcomeOf('import', ...place('back'), file('chain.rlp'));
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining(`imported=7 head=12 hash=${head}`) });
  for (const words of [[], ['-1'], ['five'], ['1', '2']])
    expect(await outcomeOf('rewind', datadir, ...words), words.join(' ')).toMatchObject({ code: 2 });
});

test('an import keeps the blocks before a broken one, and names it', async () => {
  const bytes = readFileSync(file('chain.rlp'));
  writeFileSync(file('cut.rlp'), bytes);
  truncateSync(file('cut.rlp'), bytes.length - 5);
  const cut = await outcomeOf('import', ...place('cut'), file('cut.rlp'));
  expect(cut).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cut\.rlp cannot be imported after block 11: .*past the end/),
  });
  const rest = await outcomeOf('import', ...place('cut'), file('chain.rlp'));
  expect(rest).toMatchObject({ code: 0, stderr: expect.stringContaining('imported=1 head=12') });

  const forged: Uint8Array[] = [];
  for await (const block of blocksIn(readPieces(file('chain.rlp'))))
    forged.push(
      encodeBlock(block.header.number === 4 ? { ...block, header: { ...block.header, gasUsed: 21_000n } } : block),
    );
  writeFileSync(file('forged.rlp'), Buffer.concat(forged));
  const wrong = await outcomeOf('import', ...place('forged'), file('forged.rlp'));
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/after block 3: invalid gasUsed/) });
});

test('an import does not blame the chain file for a missing file of this package', async () => {
  const missing = new Failure('build', 'cannot read evm.wasm', {
    cause: Object.assign(new Error(), { code: 'ENOENT' }),
  });
  const chain = {
    header() {
      throw missing;
    },
  } as unknown as Chain;
  const outcome = importFiles(
    chain,
    [file('chain.rlp')],
    createLogger({ level: 'silent', format: 'text', color: false, pid: false }),
    new AbortController().signal,
  );
  await expect(outcome).rejects.toBe(missing);
});

test.each<[string, () => string[], number, RegExp]>([
  [
    'import of a file that is not there',
    () => ['import', ...place('full'), file('none.rlp')],
    2,
    /cannot read .*none\.rlp/,
  ],
  ['import of no file', () => ['import', ...place('full')], 2, /expected chain files/],
  [
    'import of something else',
    () => ['import', ...place('full'), file('genesis.json')],
    1,
    /cannot be imported at its first block/,
  ],
  [
    'import of another chain',
    () => ['import', `--chain=${file('other.json')}`, `--datadir=${file('other')}`, file('chain.rlp')],
    1,
    /genesis block .* this chain’s is/,
  ],
  [
    'export of blocks that the chain lacks',
    () => ['export', ...place('full'), file('x'), '3', '13'],
    2,
    /blocks 0 to 12/,
  ],
  ['export into nowhere', () => ['export', ...place('full'), file('none/x')], 4, /cannot write/],
  [
    'dump of an unknown block',
    () => ['dump', ...place('full'), '99'],
    2,
    /99 is not the number or hash of a canonical block/,
  ],
  ['a datadir without a chain', () => ['export', `--datadir=${file('void')}`, file('x')], 2, /holds no chain/],
])('an execution client refuses %s with its exit code', async (_, argv, code, words) => {
  writeFileSync(
    file('other.json'),
    genesisText(schedule, { '0x00000000000000000000000000000000000000fe': { balance: '0x1' } }),
  );
  expect(await outcomeOf(...argv())).toMatchObject({ code, stderr: expect.stringMatching(words) });
});

interface Account {
  readonly address?: Hex;
  readonly key: Hex;
  readonly balance: string;
  readonly storage?: Record<string, Hex>;
  readonly code?: Hex;
}

test('an execution client dumps the state of any block, by address when the preimage is known', async () => {
  const whole = await outcomeOf('dump', ...place('full'));
  expect(whole.code).toBe(0);
  const { root, accounts } = JSON.parse(whole.stdout) as { root: string; accounts: Record<string, Account> };
  expect(root).toMatch(/^[0-9a-f]{64}$/);
  const store = accounts[STORE]!;
  expect(Object.keys(store.storage!)).toHaveLength(LENGTH);
  expect(store.storage![`0x${'0c'.padStart(64, '0')}`]).toBe('0x07');
  expect(accounts[ACCOUNTS[4]!.address.toLowerCase()]!.balance).toBe(String(10n ** 22n + BigInt(LENGTH)));

  const lines = (await outcomeOf('dump', ...place('full'), '--iterative', '--nocode', '--nostorage', '5')).stdout
    .trim()
    .split('\n');
  const [first, ...rest] = lines.map((line) => JSON.parse(line) as Account);
  expect(first).toEqual({ root: expect.stringMatching(/^0x/) });
  expect(rest.some(({ code, storage }) => code !== undefined || storage !== undefined)).toBe(false);
  expect(rest.find(({ address }) => address === ACCOUNTS[4]!.address.toLowerCase())!.balance).toBe(
    String(10n ** 22n + 5n),
  );
  expect(rest.map(({ key }) => key)).toEqual([...rest.map(({ key }) => key)].sort());
});

test('a chain file that is read in pieces of any size gives the same blocks', async () => {
  const bytes = readFileSync(file('chain.rlp'));
  for (const size of [1, 7, 1000]) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const hashes: Hex[] = [];
    for await (const { hash } of blocksIn(pieces())) hashes.push(hash);
    expect(hashes).toHaveLength(LENGTH + 1);
    expect(hashes.at(-1)).toBe(head);
  }
});
