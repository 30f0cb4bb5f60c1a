import { describe, expect, it } from 'vitest';
import { ethereumOf } from '../../../../src/nodes/execution/chain/genesis.ts';
import { forkConfig } from '../../../../src/nodes/execution/query/fork-config.ts';
import { type ForkSchedule, rulesAt } from '../../../../src/protocol/forks/index.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { hashOf, PARIS_HEADER } from '../views/sample-block.ts';

const GENESIS_TIME = 100;

function configOf(schedule: ForkSchedule, now: number) {
  return forkConfig(
    {
      chainId: 901,
      genesisHash: hashOf(1),
      schedule,
      definition: {},
      knownHeader: () => ({ ...PARIS_HEADER, timestamp: BigInt(GENESIS_TIME) }),
      rulesAt: (time) => rulesAt(schedule, time),
    },
    now,
  );
}

/** Addresses of precompiles by their names in EIP-7910. */
const CANCUN = {
  ECREC: 1,
  SHA256: 2,
  RIPEMD160: 3,
  ID: 4,
  MODEXP: 5,
  BN254_ADD: 6,
  BN254_MUL: 7,
  BN254_PAIRING: 8,
  BLAKE2F: 9,
  KZG_POINT_EVALUATION: 10,
};
const PRAGUE = {
  BLS12_G1ADD: 11,
  BLS12_G1MSM: 12,
  BLS12_G2ADD: 13,
  BLS12_G2MSM: 14,
  BLS12_PAIRING_CHECK: 15,
  BLS12_MAP_FP_TO_G1: 16,
  BLS12_MAP_FP2_TO_G2: 17,
};
const addresses = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => [name, `0x${number.toString(16).padStart(40, '0')}`]),
  );
const BEACON_ROOTS_ADDRESS = expect.stringMatching(/^0x000f3df6d732807ef1319fb7b8bb8522d0beac02$/i);
const HISTORY_STORAGE_ADDRESS = expect.stringMatching(/^0x0000f90827f1c53a10cb7a02335b175320002935$/i);

describe('the configuration of forks', () => {
  const schedule = { ...upTo('granite'), holocene: 200, isthmus: 300, jovian: 300 };

  it.each([
    ['at the genesis block', 100, 100, 200, 300],
    ['before the next fork', 199, 100, 200, 300],
    ['at the next fork', 200, 200, 300, 300],
    ['before the last forks', 299, 200, 300, 300],
    ['at the last forks', 300, 300, undefined, undefined],
    ['long after', 9000, 300, undefined, undefined],
  ])('%s names the fork in force, the next and the last', (_, now, current, next, last) => {
    const config = configOf(schedule, now);
    expect([config.current.activationTime, config.next?.activationTime, config.last?.activationTime]).toEqual([
      current,
      next,
      last,
    ]);
    expect([config.next === null, config.last === null]).toEqual([next === undefined, last === undefined]);
  });

  it('has a hash of each set of passed forks, of which those of the genesis block are none', () => {
    const { current, next, last } = configOf(schedule, 100);
    // CRC-32 of the genesis hash, of that and 200, and of that and 200 and 300 (EIP-6122).
    const ids = [current.forkId, next!.forkId, last!.forkId];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{8}$/);
    expect(configOf({ ...schedule, granite: 50, fjord: 100 }, 100).current.forkId).toBe(current.forkId);
    expect(configOf(schedule, 200).current.forkId).toBe(next!.forkId);
    expect(configOf(schedule, 300).current.forkId).toBe(last!.forkId);
  });

  it('has under cancun these precompiles and contracts, and no blobs', () => {
    expect(configOf(upTo('ecotone'), 100).current).toEqual({
      activationTime: GENESIS_TIME,
      blobSchedule: { baseFeeUpdateFraction: 3_338_477, max: 0, target: 0 },
      chainId: '0x385',
      forkId: expect.any(String),
      precompiles: addresses(CANCUN),
      systemContracts: { BEACON_ROOTS_ADDRESS },
    });
  });

  it('has under prague the precompiles of BLS12-381, P256VERIFY, and the contract of block hashes', () => {
    expect(configOf(upTo('isthmus'), 100).current).toMatchObject({
      blobSchedule: { baseFeeUpdateFraction: 5_007_716, max: 0, target: 0 },
      precompiles: addresses({ ...CANCUN, ...PRAGUE, P256VERIFY: 256 }),
      systemContracts: { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS },
    });
  });

  it('has before cancun no system contract and no update fraction', () => {
    const { current } = configOf(upTo('canyon'), 100);
    expect(current.systemContracts).toEqual({});
    expect(current.blobSchedule.baseFeeUpdateFraction).toBe(0);
  });

  it('lists precompiles in order of their names', () => {
    const names = Object.keys(configOf(upTo('isthmus'), 100).current.precompiles);
    expect(names).toEqual(names.toSorted());
  });
});

describe('the configuration of forks of plain Ethereum', () => {
  const config = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: 200, bpo1Time: 300 };
  const ethereum = ethereumOf({ ...config, depositContractAddress: `0x${'ab'.repeat(20)}` }, 'genesis.json');
  const configAt = (now: number) =>
    forkConfig(
      {
        chainId: 900,
        genesisHash: hashOf(1),
        schedule: {},
        definition: { ethereum },
        knownHeader: () => ({ ...PARIS_HEADER, timestamp: BigInt(GENESIS_TIME) }),
        rulesAt: (time) => ethereum.rulesAt(time),
      },
      now,
    );

  it('shows the blobs of each fork and the contracts of requests', () => {
    const { current, next, last } = configAt(150);
    expect([current, next, last].map((each) => [each?.activationTime, each?.blobSchedule])).toEqual([
      [100, { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }],
      [200, { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }],
      [300, { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 }],
    ]);
    expect(current.systemContracts).toMatchObject({
      CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS: '0x0000bbddc7ce488642fb579f8b00f3a590007251',
      DEPOSIT_CONTRACT_ADDRESS: `0x${'ab'.repeat(20)}`,
      WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS: '0x00000961ef480eb55e80d19ad83579a64c007002',
    });
  });
});
