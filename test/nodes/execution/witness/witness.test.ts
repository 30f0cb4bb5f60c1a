import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { Driver, l1Info } from '../support/driver.ts';
import { generatedBlocks, GENERATED_SCHEDULE as schedule } from '../support/generated-blocks.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { contracts } from '../support/programs.ts';
import { topic } from '../support/sample-chain.ts';
import { executeStateless, type ShownWitness } from '../support/stateless.ts';

/** Stores zero in the slot of its calldata. */
const ERASER: Hex = '0x000000000000000000000000000000000000e4a5';
/** Stores the hash of block 1. */
const HISTORIAN: Hex = '0x0000000000000000000000000000000000004157';
const SLOTS = 12;
/** Writes its slot 5, which is not zero. */
const WRITER: Hex = '0x0000000000000000000000000000000000005702';
/** Has code that no transaction needs. */
const UNREAD: Hex = '0x000000000000000000000000000000000000de4d';
/** Copies zero bytes of UNREAD's code, and calls WRITER statically. */
const IDLER: Hex = '0x0000000000000000000000000000000000001d1e';
const alloc = {
  ...contracts(1),
  [ERASER]: {
    code: '0x5f5f355500',
    balance: '0x0',
    storage: Object.fromEntries(Array.from({ length: SLOTS }, (_, slot) => [topic(slot), topic(7)])),
  },
  [WRITER]: { code: '0x600160055500', balance: '0x0', storage: { [topic(5)]: topic(9) } },
  [UNREAD]: { code: '0x5b5b5b', balance: '0x3' },
  [IDLER]: { code: `0x5f5f5f73${UNREAD.slice(2)}3c5f5f5f5f73${WRITER.slice(2)}619c40fa00`, balance: '0x0' },
  [HISTORIAN]: { code: '0x6001405f5500', balance: '0x0' },
};

let go: TestNode;
let rust: TestNode;
const blocks: { readonly number: Hex; readonly hash: Hex; readonly encoded: Hex }[] = [];

beforeAll(async () => {
  const genesis = genesisText(schedule, alloc);
  [go, rust] = await Promise.all([launch(genesis, { flavour: 'go' }), launch(genesis, { flavour: 'rust' })]);
  const follower = new Driver(rust.engine, schedule);
  const builder = new Driver(go.engine, schedule);
  const built = [];
  for await (const { payload } of generatedBlocks(go, { seed: 3, count: 40, perBlock: 10 })) built.push(payload);
  const signed = await Promise.all(
    [...Array.from({ length: SLOTS - 1 }, (_, slot) => [ERASER, topic(slot)] as const), [HISTORIAN, '0x'] as const].map(
      ([to, data], nonce) =>
        ACCOUNTS[4]!.signTransaction({
          type: 'eip1559',
          chainId: CHAIN_ID,
          gas: 100_000n,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 1n,
          ...{ nonce: nonce + 1, to, data },
        }),
    ),
  );
  const idle = await ACCOUNTS[4]!.signTransaction({
    ...{ type: 'eip1559', chainId: CHAIN_ID, gas: 100_000n, maxFeePerGas: 10n ** 10n, nonce: 0, to: IDLER },
  });
  const before = built.length + 1;
  built.push(
    await builder.build(built.at(-1)!.hash, GENESIS_TIME + 2 * before, [l1Info(before), idle], {
      fields: { noTxPool: true },
    }),
  );
  const number = built.length + 1;
  const special = [l1Info(number), ...signed];
  built.push(
    await builder.build(built.at(-1)!.hash, GENESIS_TIME + 2 * number, special, { fields: { noTxPool: true } }),
  );
  for (const payload of built) {
    await follower.import(payload);
    await follower.makeCanonical(payload.hash);
    const encoded = await go.rpc.call<Hex>('debug_getRawBlock', [payload.hash]);
    blocks.push({ number: `0x${payload.number.toString(16)}`, hash: payload.hash, encoded });
  }
});
afterAll(() => Promise.all([go, rust].map((node) => node[Symbol.asyncDispose]())));

const witnessOf = (node: TestNode, ...params: unknown[]) =>
  node.rpc.call<ShownWitness>('debug_executionWitness', params);

describe.each([
  ['the go flavour', () => go, []],
  ['the rust flavour', () => rust, []],
  ['the rust flavour, canonical', () => rust, ['canonical']],
] as const)('the witness of %s', (_, node, more) => {
  test('suffices to compute the same header, state and receipts', async () => {
    for (const { number, hash, encoded } of blocks) {
      const witness = await witnessOf(node(), number, ...more);
      const sparse = node() === rust;
      const executed = await executeStateless(schedule, encoded, witness, { sparse });
      if (!sparse) expect(executed.hash, `block ${number}`).toBe(hash);
      // An interpreter does not read the account whose storage root is the header's withdrawalsRoot.
      const { withdrawalsRoot: _, ...header } = decodeBlock(hexToBytes(encoded)).header;
      expect(executed.header, `block ${number}`).toMatchObject(header);
    }
  });
});

test('a witness without any one of its nodes, codes or headers does not suffice', async () => {
  const { number, encoded } = blocks.at(-1)!;
  const witness = await witnessOf(go, number);
  expect(witness.headers.map((header) => (header as { hash: Hex }).hash)).toEqual(
    blocks
      .slice(0, -1)
      .map(({ hash }) => hash)
      .reverse(),
  );
  for (const part of ['state', 'codes', 'headers'] as const)
    for (let at = 0; at < witness[part].length; at++) {
      const less = { ...witness, [part]: [...witness[part].slice(0, at), ...witness[part].slice(at + 1)] };
      await expect(executeStateless(schedule, encoded, less), `${part} ${at}`).rejects.toThrow();
    }
});

test.each([
  ['the account whose code is copied by no byte, with its code', () => [UNREAD, []], 'both'],
  ['the slot that a static call may not write', () => [WRITER, [topic(5)]], 'go'],
] as const)('a witness holds %s, as other clients read it', async (_, what, flavours) => {
  const [{ number: parent }, { number }] = blocks.slice(-3, -1) as [(typeof blocks)[0], (typeof blocks)[0]];
  const [address, slots] = what();
  const proof = await go.rpc.call<{ accountProof: Hex[]; storageProof: { proof: Hex[] }[] }>('eth_getProof', [
    address,
    slots,
    parent,
  ]);
  const nodes = [proof.accountProof, ...proof.storageProof.map((one) => one.proof)].flat();
  const isWhole = ({ state }: ShownWitness) => nodes.every((node) => state.includes(node));
  expect(isWhole(await witnessOf(go, number))).toBe(true);
  expect(isWhole(await witnessOf(rust, number, 'canonical'))).toBe(flavours === 'both');
  if (address === UNREAD) expect((await witnessOf(go, number)).codes).toContain('0x5b5b5b');
});

test('a legacy witness lists removals first, with their sibling nodes and the storage roots', async () => {
  const { number } = blocks.at(-1)!;
  const [legacy, canonical] = [await witnessOf(rust, number), await witnessOf(rust, number, 'canonical')];
  expect(legacy.state).toEqual(expect.arrayContaining([...canonical.state]));
  expect(legacy.state.length).toBeGreaterThan(canonical.state.length);
  expect(legacy.state).toContain('0x80');
  expect(canonical.state).not.toContain('0x80');
  const keys = legacy.keys!;
  const from = keys.indexOf(ERASER);
  expect(new Set(keys.slice(from + 1, from + SLOTS))).toEqual(
    new Set(Array.from({ length: SLOTS - 1 }, (_, slot) => topic(slot))),
  );
});

test('the rust flavour lists the accounts and slots that its interpreter reads, and no others', async () => {
  const [{ number: parent }, { number }] = blocks.slice(-3, -1) as [(typeof blocks)[0], (typeof blocks)[0]];
  const { keys, state, codes } = await witnessOf(rust, number);
  // A fee vault is credited even zero. Storage that a static call may not write is not read.
  expect(keys).toEqual(expect.arrayContaining([IDLER, UNREAD, WRITER, PREDEPLOYS.operatorFeeVault]));
  expect(keys![keys!.indexOf(WRITER) + 1]).not.toBe(topic(5));
  expect(codes).toContain('0x5b5b5b');
  // Proof path of the system account, which makes the first calls of a block.
  const caller = await go.rpc.call<{ accountProof: Hex[] }>('eth_getProof', [`0x${'ff'.repeat(19)}fe`, [], parent]);
  expect(state).not.toContain(caller.accountProof.at(-1));
  // New accounts without code add the empty code.
  const all = await Promise.all(blocks.map(({ hash }) => witnessOf(rust, hash)));
  expect(all.some((witness) => witness.codes.includes('0x'))).toBe(true);
  expect((await witnessOf(rust, blocks[0]!.hash, 'canonical')).codes).not.toContain('0x');
});

test('a witness can be requested by number, tag or hash, as each flavour allows', async () => {
  const { number, hash } = blocks.at(-1)!;
  for (const node of [go, rust]) {
    expect(await witnessOf(node, 'latest')).toEqual(await witnessOf(node, number));
    expect(await witnessOf(node, hash)).toEqual(await witnessOf(node, number));
    await expect(witnessOf(node, '0x0')).rejects.toMatchObject({ code: -32000 });
    await expect(witnessOf(node, topic(1))).rejects.toMatchObject({ code: expect.any(Number) });
  }
  expect(await rust.rpc.call('debug_executionWitnessByBlockHash', [hash])).toEqual(await witnessOf(rust, hash));
  const shouted = hash.replace(/[a-f]/g, (digit) => digit.toUpperCase());
  expect(await rust.rpc.call('debug_executionWitnessByBlockHash', [shouted])).toEqual(await witnessOf(rust, hash));
  await expect(go.rpc.call('debug_executionWitnessByBlockHash', [hash])).rejects.toMatchObject({ code: -32601 });
  await expect(witnessOf(go, hash, 'canonical')).rejects.toMatchObject({ code: -32602 });
  await expect(witnessOf(rust, hash, 'other')).rejects.toMatchObject({ code: -32602 });
});
