import { createBlockHeader } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createAccount, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GenesisAlloc,
  l2Alloc,
  l2Genesis,
  l2GenesisHash,
  l2GenesisHeader,
  l2GenesisRoots,
  l2StateKey,
  renderAlloc,
  renderL2Genesis,
  renderRollupConfig,
  rollupConfig,
} from '../../../src/protocol/genesis/index.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { chainInputs, contracts, GENESIS_TIME, upTo, ZERO_WORD } from './inputs.ts';

const PASSER = '0x4200000000000000000000000000000000000016';

async function merkleRoot(alloc: GenesisAlloc): Promise<{ state: Hex; passer: Hex }> {
  const manager = new MerkleStateManager({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });
  for (const [text, { balance, nonce, code, storage }] of alloc) {
    const address = createAddressFromString(text);
    await manager.putAccount(address, createAccount({ balance, nonce: BigInt(nonce) }));
    if (code !== '0x') await manager.putCode(address, hexToBytes(code));
    for (const [key, value] of Object.entries(storage)) {
      const trimmed = hexToBytes(value).subarray(hexToBytes(value).findIndex((byte) => byte !== 0));
      await manager.putStorage(address, hexToBytes(key as Hex), trimmed);
    }
  }
  await manager.flush();
  const passer = await manager.getAccount(createAddressFromString(PASSER));
  return { state: bytesToHex(await manager.getStateRoot()), passer: bytesToHex(passer!.storageRoot) };
}

describe('L2 genesis', () => {
  it('has the roots that another trie computes', async () => {
    const alloc = l2Alloc(chainInputs(), contracts);
    const expected = await merkleRoot(alloc);
    expect(l2GenesisRoots(alloc)).toEqual({ stateRoot: expected.state, messagePasserRoot: expected.passer });
  });

  it('has the roots of another trie whatever the accounts', async () => {
    const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex);
    const account = fc.record({
      balance: fc.bigInt({ min: 0n, max: 2n ** 128n }),
      nonce: fc.nat(),
      code: fc.uint8Array({ maxLength: 80 }).map(bytesToHex),
      storage: fc.dictionary(
        word,
        word.filter((value) => value !== ZERO_WORD),
        { maxKeys: 5 },
      ),
    });
    const allocs = fc.array(fc.tuple(fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex), account), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(allocs, async (entries) => {
        const alloc = new Map(entries).set(PASSER, { balance: 0n, nonce: 0, code: '0x', storage: {} }) as GenesisAlloc;
        expect(l2GenesisRoots(alloc).stateRoot).toBe((await merkleRoot(alloc)).state);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['bedrock', 'canyon', 'ecotone', 'granite', 'isthmus', 'jovian'] as const)(
    'at base %s has the precomputed roots when they apply',
    (base) => {
      const inputs = chainInputs({ schedule: upTo(base) });
      expect(l2Genesis(inputs, contracts).roots).toEqual(l2GenesisRoots(l2Alloc(inputs, contracts)));
    },
  );

  it('has a proxy at all 2,048 predeploy addresses', () => {
    const alloc = l2Alloc(chainInputs(), contracts);
    const predeploys = [...alloc].filter(([address]) =>
      /^0x4200{33}0[0-7][0-9a-f]{2}$|^0x42[0]{34}0[0-7][0-9a-f]{2}$/.test(address),
    );
    expect(predeploys).toHaveLength(2048);
    expect(predeploys.filter(([, { code }]) => code === '0x')).toEqual([]);
  });

  it.each([
    ['delta', '0x', { withdrawalsRoot: 'empty', beaconRoot: false, requestsHash: false }],
    ['granite', '0x', { withdrawalsRoot: 'empty', beaconRoot: true, requestsHash: false }],
    ['holocene', '0x00000000fa00000006', { withdrawalsRoot: 'empty', beaconRoot: true, requestsHash: false }],
    ['isthmus', '0x00000000fa00000006', { withdrawalsRoot: 'passer', beaconRoot: true, requestsHash: true }],
    [
      'jovian',
      '0x01000000fa000000060000000000000000',
      { withdrawalsRoot: 'passer', beaconRoot: true, requestsHash: true },
    ],
  ] as const)('at base %s has the header fields of that fork', (base, extraData, expected) => {
    const inputs = chainInputs({ schedule: upTo(base) });
    const { roots } = l2Genesis(inputs, contracts);
    const header = l2GenesisHeader(inputs, roots);
    expect(header.extraData).toBe(extraData);
    expect(header.beaconRoot).toBe(expected.beaconRoot);
    expect(header.requestsHash !== undefined).toBe(expected.requestsHash);
    expect(header.withdrawalsRoot === roots.messagePasserRoot).toBe(expected.withdrawalsRoot === 'passer');
  });

  it('hashes its header as another implementation does', () => {
    const inputs = chainInputs();
    const { roots, hash } = l2Genesis(inputs, contracts);
    const { coinbase, stateRoot, gasLimit, timestamp, extraData, baseFeePerGas, withdrawalsRoot, requestsHash } =
      l2GenesisHeader(inputs, roots);
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
    const data = {
      coinbase,
      stateRoot,
      gasLimit,
      timestamp,
      extraData,
      baseFeePerGas,
      withdrawalsRoot,
      requestsHash,
      blobGasUsed: 0,
      excessBlobGas: 0,
    };
    const header = createBlockHeader({ ...data, parentBeaconBlockRoot: ZERO_WORD, number: 0 } as never, {
      common,
      skipConsensusFormatValidation: true,
    });
    expect(bytesToHex(header.hash())).toBe(hash);
  });

  it('carries the system config’s EIP-1559 parameters in its extraData', () => {
    const inputs = chainInputs({ systemConfig: { eip1559Params: '0x0000006400000005', minBaseFee: 9 } });
    expect(l2GenesisHeader(inputs, l2Genesis(inputs, contracts).roots).extraData).toBe(
      '0x0100000064000000050000000000000009',
    );
  });

  it('changes with its time only in the header', () => {
    const [early, late] = [chainInputs(), chainInputs({ genesisTime: GENESIS_TIME + 1 })];
    expect(l2StateKey(early, contracts)).toBe(l2StateKey(late, contracts));
    const { roots } = l2Genesis(early, contracts);
    expect(l2GenesisHash(early, roots)).not.toBe(l2GenesisHash(late, roots));
  });

  it.each([
    ['chain id', { chainId: 905 }],
    ['L1 chain id', { l1ChainId: 1 }],
    ['accounts', { accounts: [] }],
    ['base fork', { schedule: upTo('granite') }],
  ] as const)('has another state key with another %s', (_, change) => {
    expect(l2StateKey(chainInputs(change), contracts)).not.toBe(l2StateKey(chainInputs(), contracts));
  });

  it('writes a genesis file that ends with its alloc', () => {
    const inputs = chainInputs({ schedule: { ...upTo('granite'), holocene: GENESIS_TIME + 20 } });
    const alloc = l2Alloc(inputs, contracts);
    const parsed = JSON.parse(renderL2Genesis(inputs, renderAlloc(alloc)));
    expect(Object.keys(parsed).at(-1)).toBe('alloc');
    expect(parsed.config).toMatchObject({
      chainId: 901,
      bedrockBlock: 0,
      graniteTime: 0,
      cancunTime: 0,
      holoceneTime: GENESIS_TIME + 20,
    });
    expect(parsed.config).not.toHaveProperty('pragueTime');
    expect(parsed.config.optimism).toEqual({
      eip1559Elasticity: 6,
      eip1559Denominator: 50,
      eip1559DenominatorCanyon: 250,
    });
    expect(Object.keys(parsed.alloc)).toHaveLength(alloc.size);
    expect(parsed.alloc[PASSER].code).toBe(alloc.get(PASSER)!.code);
  });

  it('refers to the L1 contracts of its own chain', () => {
    const messenger = '0x4200000000000000000000000000000000000007';
    const slot = `0x${'cf'.padStart(64, '0')}` as const;
    const other = (chainId: number) => l2Alloc(chainInputs({ chainId }), contracts).get(messenger)!.storage[slot];
    expect(other(901)).not.toBe(other(902));
  });
});

describe('rollup config', () => {
  const block = { hash: ZERO_WORD, number: 0 };

  it('omits zero fields that an older rollup node does not know', () => {
    const text = (changed: object) => {
      const inputs = chainInputs({});
      const config = rollupConfig(
        { ...inputs, systemConfig: { ...inputs.systemConfig, ...changed } },
        { l1: block, l2: block },
        contracts,
      );
      return Object.keys(JSON.parse(renderRollupConfig(config)).genesis.system_config);
    };
    expect(text({})).toEqual(['batcherAddr', 'overhead', 'scalar', 'gasLimit']);
    expect(text({ minBaseFee: 7, eip1559Params: '0x0000003200000006' })).toEqual(
      expect.arrayContaining(['minBaseFee', 'eip1559Params']),
    );
  });

  it('has both genesis blocks, the schedule and the addresses', () => {
    const inputs = chainInputs({ schedule: { ...upTo('granite'), holocene: GENESIS_TIME + 20 } });
    const config = rollupConfig(inputs, { l1: block, l2: block }, contracts);
    expect(config).toMatchObject({
      l1_chain_id: 900,
      l2_chain_id: 901,
      block_time: 2,
      granite_time: 0,
      holocene_time: GENESIS_TIME + 20,
    });
    expect(config).not.toHaveProperty('isthmus_time');
    expect(config.genesis.system_config.gasLimit).toBe(30_000_000);
    expect(config.batch_inbox_address).toMatch(/^0x00[0-9a-f]{38}$/);
  });
});
