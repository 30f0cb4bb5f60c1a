import { createMPTFromProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { LOGGER, STORE } from '../support/genesis.ts';
import { type SampleChain, sampleChain, topic } from '../support/sample-chain.ts';

let chain: SampleChain;
const MANY: Hex = '0x00000000000000000000000000000000000c0dea';
const slots = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [topic(at), topic(at * 7 + 1)]));

beforeAll(async () => {
  chain = await sampleChain({ [MANY]: { code: '0x00', storage: slots } });
});
afterAll(() => chain[Symbol.asyncDispose]());

interface Proof {
  readonly accountProof: Hex[];
  readonly storageHash: Hex;
  readonly codeHash: Hex;
  readonly balance: Hex;
  readonly nonce: Hex;
  readonly storageProof: { readonly key: Hex; readonly value: Hex; readonly proof: Hex[] }[];
}

/** Verifies a proof with another library. null: the key is absent. */
async function proven(root: Hex, key: Hex, proof: readonly Hex[]): Promise<Uint8Array | null> {
  if (proof.length === 0) return null;
  const trie = await createMPTFromProof(proof.map(hexToBytes), { root: hexToBytes(root), useKeyHashing: true });
  expect(bytesToHex(trie.root())).toBe(root);
  return trie.get(hexToBytes(key));
}

test('eth_getProof proves accounts and slots, present and absent, under the header’s state root', async () => {
  const addresses: Hex[] = [STORE, LOGGER, MANY, ACCOUNTS[0]!.address, '0x00000000000000000000000000000000000000ff'];
  const cases = fc.record({
    address: fc.constantFrom(...addresses),
    keys: fc.uniqueArray(fc.nat(250), { maxLength: 6 }),
    number: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ address, keys, number }) => {
      const tag = `0x${number.toString(16)}`;
      const { stateRoot } = await chain.go.rpc.call<{ stateRoot: Hex }>('eth_getBlockByNumber', [tag, false]);
      const proof = await chain.go.rpc.call<Proof>('eth_getProof', [address, keys.map(topic), tag]);
      const account = await proven(stateRoot, address, proof.accountProof);
      if (account === null) expect([proof.balance, proof.nonce]).toEqual(['0x0', '0x0']);
      else {
        const [nonce, balance, root, code] = RLP.decode(account) as Uint8Array[];
        expect([proof.storageHash, proof.codeHash]).toEqual([bytesToHex(root!), bytesToHex(code!)]);
        expect(BigInt(proof.balance)).toBe(BigInt(`0x0${bytesToHex(balance!).slice(2)}`));
        expect(BigInt(proof.nonce)).toBe(BigInt(`0x0${bytesToHex(nonce!).slice(2)}`));
      }
      for (const { key, value, proof: nodes } of proof.storageProof) {
        const word = account === null ? null : await proven(proof.storageHash, key, nodes);
        const leaf = word === null ? 0n : BigInt(bytesToHex(RLP.decode(word) as Uint8Array));
        expect(BigInt(value)).toBe(leaf);
      }
    }),
    { numRuns: 40 },
  );
});

test('eth_getProof spells slots as in the request, and shows an absent account as each client does', async () => {
  const absent = '0x00000000000000000000000000000000000000ff';
  const ask = (client: 'go' | 'rust', address: Hex, keys: Hex[]) =>
    chain[client].rpc.call<Proof>('eth_getProof', [address, keys, 'latest']);
  for (const client of ['go', 'rust'] as const) {
    const { storageProof } = await ask(client, STORE, ['0x0', '0x01', '0x', topic(2)]);
    expect(storageProof.map(({ key }) => key)).toEqual(['0x0', '0x1', '0x0', topic(2)]);
  }
  const zero = topic(0);
  expect(await ask('go', absent, [])).toMatchObject({ codeHash: zero, storageHash: zero });
  expect(await ask('rust', absent, [])).toMatchObject({
    codeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  });
});

describe('ranges', () => {
  interface Range {
    readonly storage: Record<Hex, { readonly key: null; readonly value: Hex }>;
    readonly nextKey: Hex | null;
  }

  test('page through all slots of an account', async () => {
    const words: Record<Hex, Hex> = {};
    let from: Hex | null = '0x';
    for (let pages = 0; from !== null && pages < 10; pages++) {
      const page: Range = await chain.go.rpc.call('debug_storageRangeAt', [chain.blocks[2]!.hash, 0, MANY, from, 64]);
      for (const [key, { value }] of Object.entries(page.storage)) words[key as Hex] = value;
      from = page.nextKey;
    }
    const expected = Object.fromEntries(Object.entries(slots).map(([slot, value]) => [keccak256(slot as Hex), value]));
    expect(words).toEqual(expected);
    expect(Object.keys(words)).toEqual(Object.keys(expected).sort());
  });

  test('show the writes of a block’s first transactions, and no later ones', async () => {
    const at = (block: number, count: number) =>
      chain.go.rpc.call<Range>('debug_storageRangeAt', [chain.blocks[block]!.hash, count, STORE, '0x', 9]);
    expect(Object.values((await at(1, 2)).storage)).toEqual([]);
    expect(Object.values((await at(2, 0)).storage)).toEqual([{ key: null, value: topic(9) }]);
    await expect(at(1, 3)).rejects.toMatchObject({
      code: -32000,
      message: `transaction index 3 out of range for block ${chain.blocks[1]!.hash}`,
    });
  });

  test('page through all accounts', async () => {
    const keys: string[] = [];
    let from: string | undefined = '0x';
    while (from !== undefined) {
      const page: { accounts: Record<string, { key: string; balance: string }>; next?: string } =
        await chain.go.rpc.call('debug_accountRange', ['0x0', from, 5, true, true]);
      keys.push(...Object.values(page.accounts).map(({ key }) => key));
      from = page.next;
    }
    expect(keys).toEqual([...keys].sort());
    expect(keys).toContain(keccak256(STORE));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
