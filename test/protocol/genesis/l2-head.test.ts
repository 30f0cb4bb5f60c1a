import { describe, expect, it } from 'vitest';
import { PREDEPLOYS } from '../../../src/protocol/execution/predeploys.ts';
import {
  l2Genesis,
  l2GenesisHead,
  l2GenesisHeader,
  l2StateKey,
  renderL2Genesis,
} from '../../../src/protocol/genesis/l2.ts';
import { chainInputs, GENESIS_TIME, upTo, ZERO_WORD } from './inputs.ts';
import { small } from './small-contracts.ts';

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const roots = { stateRoot: `0x${'07'.repeat(32)}`, messagePasserRoot: `0x${'08'.repeat(32)}` } as const;
const BLOCKS = [
  ...['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul'],
  ...['muirGlacier', 'berlin', 'london', 'arrowGlacier', 'grayGlacier', 'mergeNetsplit'],
].map((name) => [`${name}Block`, 0]);

describe('head of the L2 genesis file', () => {
  it.each([
    ['delta', '0x', { regolithTime: 0, canyonTime: 0, shanghaiTime: 0 }, {}],
    [
      'ecotone',
      '0x',
      { regolithTime: 0, canyonTime: 0, shanghaiTime: 0, ecotoneTime: 0, cancunTime: 0 },
      { excessBlobGas: '0x0', blobGasUsed: '0x0' },
    ],
  ] as const)('at base %s has the fields of its forks', (base, extraData, times, more) => {
    const inputs = chainInputs({ schedule: upTo(base) });
    expect(l2GenesisHead(inputs)).toStrictEqual({
      config: {
        chainId: 901,
        ...Object.fromEntries(BLOCKS),
        bedrockBlock: 0,
        ...times,
        terminalTotalDifficulty: 0,
        terminalTotalDifficultyPassed: true,
        optimism: { eip1559Elasticity: 6, eip1559Denominator: 50, eip1559DenominatorCanyon: 250 },
      },
      nonce: '0x0',
      timestamp: `0x${GENESIS_TIME.toString(16)}`,
      extraData,
      gasLimit: '0x1c9c380',
      difficulty: '0x0',
      mixHash: ZERO_WORD,
      coinbase: PREDEPLOYS.sequencerFeeVault,
      number: '0x0',
      gasUsed: '0x0',
      parentHash: ZERO_WORD,
      baseFeePerGas: '0x3b9aca00',
      ...more,
    });
    const head = JSON.stringify(l2GenesisHead(inputs));
    expect(renderL2Genesis(inputs, '{"a":1}')).toBe(`${head.slice(0, -1)},"alloc":{"a":1}}\n`);
  });
});

describe('header of the L2 genesis', () => {
  it.each([
    ['bedrock', '0x', { beaconRoot: false }],
    ['canyon', '0x', { beaconRoot: false, withdrawalsRoot: EMPTY_ROOT }],
    ['ecotone', '0x', { beaconRoot: true, withdrawalsRoot: EMPTY_ROOT }],
    ['holocene', '0x000000000a0000000b', { beaconRoot: true, withdrawalsRoot: EMPTY_ROOT }],
    [
      'jovian',
      '0x010000000a0000000b000000000000000c',
      { beaconRoot: true, withdrawalsRoot: roots.messagePasserRoot, requestsHash: NO_REQUESTS },
    ],
  ] as const)('at base %s has its own fields', (base, extraData, more) => {
    const systemConfig = { eip1559Params: '0x0000000a0000000b', minBaseFee: 12, gasLimit: 5 } as const;
    expect(l2GenesisHeader(chainInputs({ schedule: upTo(base), systemConfig }), roots)).toStrictEqual({
      coinbase: PREDEPLOYS.sequencerFeeVault,
      stateRoot: roots.stateRoot,
      gasLimit: 5,
      timestamp: GENESIS_TIME,
      extraData,
      baseFeePerGas: 1_000_000_000n,
      ...more,
    });
  });
});

describe('key of an L2 genesis state', () => {
  const inputs = chainInputs();
  const alloc = { [`0x${'ab'.repeat(20)}`]: { nonce: 1 } } as const;

  it('selects the roots that were computed before', () => {
    const baked = { ...small, l2: { ...small.l2, roots: { [l2StateKey(inputs, small)]: roots } } };
    expect(l2Genesis(inputs, baked).roots).toBe(roots);
    expect(l2Genesis({ ...inputs, alloc }, baked).roots).not.toBe(roots);
  });

  it('is chain, L1, owner, accounts and active layers, and a hash of the user’s accounts', () => {
    const { roles, accounts } = inputs;
    const key = [901, 900, roles.owner, accounts, ['bedrock', 'ecotone', 'jovian']];
    expect(JSON.parse(l2StateKey(inputs, small))).toEqual(key);
    expect(JSON.parse(l2StateKey({ ...inputs, alloc }, small))).toEqual([...key, expect.stringMatching(/^0x.{64}$/)]);
    const other = { [`0x${'ab'.repeat(20)}`]: { nonce: 2 } } as const;
    expect(l2StateKey({ ...inputs, alloc: other }, small)).not.toBe(l2StateKey({ ...inputs, alloc }, small));
  });
});
