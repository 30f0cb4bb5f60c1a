import { createBlockHeader } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { describe, expect, it } from 'vitest';
import { genesisHash } from '../../../src/protocol/genesis/header.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { ZERO_WORD } from './inputs.ts';

const hash = (byte: string) => `0x${byte.repeat(32)}` as const;
const fields = {
  coinbase: `0x${'01'.repeat(20)}`,
  stateRoot: hash('02'),
  gasLimit: 30_000_000,
  timestamp: 1_700_000_000,
  extraData: '0x0304',
  baseFeePerGas: 5n,
} as const;
const beacon = { blobGasUsed: 0, excessBlobGas: 0, parentBeaconBlockRoot: ZERO_WORD };

describe('hash of a genesis block', () => {
  it.each([
    [Hardfork.Paris, { beaconRoot: false }, {}],
    [Hardfork.Shanghai, { beaconRoot: false, withdrawalsRoot: hash('06') }, {}],
    [Hardfork.Cancun, { beaconRoot: true, withdrawalsRoot: hash('06') }, beacon],
    [Hardfork.Prague, { beaconRoot: true, withdrawalsRoot: hash('06'), requestsHash: hash('07') }, beacon],
  ])('with the fields of %s is that of another implementation', (hardfork, own, others) => {
    const { beaconRoot: _, ...rest } = own;
    const data = { ...fields, ...rest, ...others, number: 0 };
    const common = new Common({ chain: Mainnet, hardfork });
    const header = createBlockHeader(data as never, { common, skipConsensusFormatValidation: true });
    expect(genesisHash({ ...fields, ...own })).toBe(bytesToHex(header.hash()));
  });
});
