import { describe, expect, it } from 'vitest';
import { l1Alloc } from '../../../src/protocol/genesis/alloc.ts';
import { genesisHash } from '../../../src/protocol/genesis/header.ts';
import {
  ANVIL_ARGUMENTS,
  l1ChainConfig,
  l1Genesis,
  l1GenesisHash,
  predictAnvilGenesis,
} from '../../../src/protocol/genesis/l1.ts';
import { allocJson } from '../../../src/protocol/genesis/render.ts';
import { l2GenesisRoots } from '../../../src/protocol/genesis/roots.ts';
import { chainInputs, GENESIS_TIME, ZERO_WORD } from './inputs.ts';
import { small } from './small-contracts.ts';

const inputs = {
  chainId: 900,
  hardfork: 'prague',
  genesisTime: GENESIS_TIME,
  accounts: [],
  chains: [chainInputs()],
} as const;
const NO_ADDRESS = `0x${'00'.repeat(20)}` as const;
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** Keys of blocks and times in a config of geth, before the forks that the hardfork decides. */
const OLDER = {
  homesteadBlock: 0,
  eip150Block: 0,
  eip155Block: 0,
  eip158Block: 0,
  byzantiumBlock: 0,
  constantinopleBlock: 0,
  petersburgBlock: 0,
  istanbulBlock: 0,
  muirGlacierBlock: 0,
  berlinBlock: 0,
  londonBlock: 0,
  arrowGlacierBlock: 0,
  grayGlacierBlock: 0,
  mergeNetsplitBlock: 0,
  terminalTotalDifficulty: 0,
  terminalTotalDifficultyPassed: true,
  shanghaiTime: 0,
};

describe('genesis of L1', () => {
  it.each([
    ['cancun', { cancunTime: 0 }],
    ['prague', { cancunTime: 0, pragueTime: 0 }],
    ['osaka', { cancunTime: 0, pragueTime: 0, osakaTime: 0 }],
  ] as const)('has a config for %s with the blob schedule of EIP-7840', (hardfork, times) => {
    expect(l1ChainConfig({ chainId: 7, hardfork })).toStrictEqual({
      chainId: 7,
      ...OLDER,
      ...times,
      blobSchedule: {
        cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
        prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
        osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
      },
    });
  });

  it('states blob counts of its own, and those of mainnet beside them', () => {
    const forks = { prague: 10, osaka: 20, bpo1: 30 };
    const blobSchedule = { osaka: { target: 1, max: 2 }, bpo1: { target: 2, max: 3, baseFeeUpdateFraction: 9 } };
    expect(l1ChainConfig({ chainId: 7, hardfork: 'cancun', forks, blobSchedule })['blobSchedule']).toStrictEqual({
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
      prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
      osaka: { target: 1, max: 2, baseFeeUpdateFraction: 5_007_716 },
      bpo1: { target: 2, max: 3, baseFeeUpdateFraction: 9 },
    });
  });

  it('is a file with all fields of the header, and the state of all chains', () => {
    expect(l1Genesis(inputs, small)).toStrictEqual({
      config: l1ChainConfig({ chainId: 900, hardfork: 'prague' }),
      nonce: '0x0',
      timestamp: `0x${GENESIS_TIME.toString(16)}`,
      extraData: '0x',
      gasLimit: '0x3938700',
      difficulty: '0x0',
      mixHash: ZERO_WORD,
      coinbase: NO_ADDRESS,
      number: '0x0',
      gasUsed: '0x0',
      parentHash: ZERO_WORD,
      baseFeePerGas: '0x3b9aca00',
      excessBlobGas: '0x0',
      blobGasUsed: '0x0',
      alloc: allocJson(l1Alloc(inputs, small)),
    });
    expect(ANVIL_ARGUMENTS).toStrictEqual({ 'block-base-fee-per-gas': '1000000000' });
  });

  it.each([
    ['cancun', {}],
    ['prague', { requestsHash: NO_REQUESTS }],
    ['osaka', { requestsHash: NO_REQUESTS }],
  ] as const)('has a header at %s with an empty state under anvil, and its own elsewhere', (hardfork, more) => {
    const header = {
      coinbase: NO_ADDRESS,
      stateRoot: EMPTY_ROOT,
      gasLimit: 60_000_000,
      timestamp: GENESIS_TIME,
      extraData: '0x',
      baseFeePerGas: 1_000_000_000n,
      withdrawalsRoot: EMPTY_ROOT,
      beaconRoot: true,
      ...more,
    } as const;
    const at = { ...inputs, hardfork };
    expect(predictAnvilGenesis(at)).toStrictEqual({ hash: genesisHash(header), header });
    const { stateRoot } = l2GenesisRoots(l1Alloc(at, small));
    expect(stateRoot).not.toBe(EMPTY_ROOT);
    expect(l1GenesisHash(at, small)).toBe(genesisHash({ ...header, stateRoot }));
  });

  it('has a gas limit of its own in the file and in block 0', () => {
    const at = { ...inputs, gasLimit: 3_000_000 };
    expect(l1Genesis(at, small)['gasLimit']).toBe('0x2dc6c0');
    const { hash, header } = predictAnvilGenesis(at);
    expect(header).toStrictEqual({ ...predictAnvilGenesis(inputs).header, gasLimit: 3_000_000 });
    expect(hash).toBe(genesisHash(header));
    expect(l1GenesisHash(at, small)).not.toBe(l1GenesisHash(inputs, small));
  });
});
