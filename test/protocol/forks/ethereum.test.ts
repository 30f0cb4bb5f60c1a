import { describe, expect, it } from 'vitest';
import { ETHEREUM_FORKS, ethereumRulesAt, ethereumScheduleOf } from '../../../src/protocol/forks/ethereum.ts';

const NAMES = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;
const schedule = { shanghai: 10, cancun: 20, prague: 30, osaka: 40 };
const rulesOf = (name: (typeof NAMES)[number]) => ethereumRulesAt(schedule, NAMES.indexOf(name) * 10);

describe("Ethereum's forks", () => {
  it('follow each other, each active from its time on', () => {
    expect(ETHEREUM_FORKS.map(({ name }) => name)).toEqual([...NAMES, 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5']);
    for (const [at, name] of NAMES.entries()) {
      expect([rulesOf(name).fork, rulesOf(name).evm]).toEqual([name, name]);
      if (at > 0) expect(ethereumRulesAt(schedule, at * 10 - 1).fork).toBe(NAMES[at - 1]);
    }
  });

  it('are scheduled by genesis.json, and no rollup node knows them', () => {
    const config = { shanghaiTime: 1, cancunTime: 2, pragueTime: 3, osakaTime: 4, parisTime: 5, jovianTime: 6 };
    expect(ethereumScheduleOf(config)).toEqual({ shanghai: 1, cancun: 2, prague: 3, osaka: 4 });
    for (const { override, rollupKey } of ETHEREUM_FORKS) expect([override, rollupKey]).toEqual([null, null]);
  });

  it.each([
    ['paris', 1, 2, 2],
    ['shanghai', 2, 2, 2],
    ['cancun', 3, 3, 3],
    ['prague', 3, 4, 4],
    ['osaka', 3, 4, 5],
  ] as const)('%s: versions %i, %i and %i of the engine', (name, forkchoiceUpdated, newPayload, getPayload) => {
    expect(rulesOf(name).engine).toEqual({ forkchoiceUpdated, newPayload, getPayload });
  });

  it('add to header and attributes withdrawals (EIP-4895), beacon root (EIP-4788), requests (EIP-7685)', () => {
    const fieldsOf = (name: (typeof NAMES)[number]) => {
      const { header, attributes, ethereum } = rulesOf(name);
      return [
        ...[header.withdrawalsRoot === 'list', attributes.withdrawals, ethereum?.withdrawals],
        ...[header.beaconRoot, attributes.parentBeaconBlockRoot],
        ...[header.requestsHash, ethereum?.requests],
      ];
    };
    const [none, all] = [false, true];
    expect(fieldsOf('paris')).toEqual([none, none, none, none, none, none, none]);
    expect(fieldsOf('shanghai')).toEqual([all, all, all, none, none, none, none]);
    expect(fieldsOf('cancun')).toEqual([all, all, all, all, all, none, none]);
    expect(fieldsOf('prague')).toEqual([all, all, all, all, all, all, all]);
    expect(fieldsOf('osaka')).toEqual([all, all, all, all, all, all, all]);
  });

  it('have blobs: 3 and 6 (EIP-4844), 6 and 9 (EIP-7691), at most 6 of one transaction (EIP-7594)', () => {
    const cancun = {
      target: 3,
      max: 6,
      updateFraction: 3_338_477n,
      maxPerTransaction: 6,
      reservePrice: false,
      cellProofs: false,
    };
    const prague = {
      target: 6,
      max: 9,
      updateFraction: 5_007_716n,
      maxPerTransaction: 9,
      reservePrice: false,
      cellProofs: false,
    };
    const blobParametersOf = (fork: string) =>
      ETHEREUM_FORKS.find(({ name }) => name === fork)?.rules.ethereum?.blobs ?? undefined;
    const numbers = (value: object | undefined) =>
      value && Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
    expect(numbers(blobParametersOf('cancun'))).toEqual(numbers(cancun));
    expect(numbers(blobParametersOf('prague'))).toEqual(numbers(prague));
    expect(numbers(blobParametersOf('osaka'))).toEqual(
      numbers({ ...prague, maxPerTransaction: 6, reservePrice: true, cellProofs: true }),
    );
    expect([blobParametersOf('shanghai'), blobParametersOf('jovian')]).toEqual([undefined, undefined]);
    expect([rulesOf('paris').ethereum?.blobs, rulesOf('shanghai').ethereum?.blobs]).toEqual([null, null]);
  });

  it('bound a block to 8 MiB (EIP-7934) and a transaction to 2^24 gas (EIP-7825) from osaka on', () => {
    const boundsOf = (name: (typeof NAMES)[number]) => {
      const { ethereum, precompiles } = rulesOf(name);
      return [ethereum?.maxBlockBytes, precompiles.transactionGasCap];
    };
    expect(boundsOf('osaka')).toEqual([8_388_608, 16_777_216]);
    expect(boundsOf('prague')).toEqual([undefined, undefined]);
    for (const name of NAMES) expect(rulesOf(name).precompiles.inputLimits).toEqual({});
  });

  it('have a base fee by 8 and 2 (EIP-1559), and no fee of a layer below', () => {
    const { eip1559, l1Fee } = rulesOf('osaka');
    expect(eip1559.constants(undefined)).toEqual({ denominator: 8, elasticity: 2, minBaseFee: 0 });
    expect(l1Fee.read({} as never)).toBeNull();
  });
});
