import { describe, expect, it } from 'vitest';
import { mustAgree, mustBeOnL1 } from '../../../../src/orchestrator/plan/chain/cross-check.ts';
import type { RollupConfig } from '../../../../src/protocol/types.ts';
import { EXIT, type Failure } from '../../../../src/system/failure.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const [SYSTEM_CONFIG, PORTAL] = [`0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`] as const;
const rollup = {
  l2_chain_id: 901,
  l1_chain_id: 900,
  genesis: { l1: { hash: HASH } },
  l1_system_config_address: SYSTEM_CONFIG,
  deposit_contract_address: PORTAL,
  regolith_time: 0,
  canyon_time: 0,
  delta_time: 0,
  ecotone_time: 0,
  fjord_time: 5,
} as unknown as RollupConfig;
const genesis = { chainId: 901, regolithTime: 0, canyonTime: 0, ecotoneTime: 0, fjordTime: 5 };

/** The failure that a check ends with; undefined if it passes. */
function failureOf(check: () => void): Failure | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Failure;
  }
}

describe('the files of a chain', () => {
  it.each<[string, object, object, readonly string[]]>([
    ['have the same times', {}, {}, []],
    ['differ in their chain id', {}, { chainId: 5 }, ['l2_chain_id is 901, chainId is 5']],
    ['differ in a fork', { fjord_time: 6 }, {}, ['fjord_time is 6, fjordTime is 5']],
    ['schedule a fork in one alone', {}, { graniteTime: 7 }, ['granite_time is absent, graniteTime is 7']],
    ['schedule a fork in the other alone', { granite_time: 7 }, {}, ['granite_time is 7, graniteTime is absent']],
    ['differ in a fork of derivation, which the genesis does not have', { delta_time: 9 }, {}, []],
    [
      'differ in all, the chain id first',
      { fjord_time: 6, granite_time: 7 },
      { chainId: 902, canyonTime: 1 },
      [
        'l2_chain_id is 901, chainId is 902',
        'canyon_time is 0, canyonTime is 1',
        'fjord_time is 6, fjordTime is 5',
        'granite_time is 7, graniteTime is absent',
      ],
    ],
  ])('are checked when they %s', (_, ofRollup, ofGenesis, differences) => {
    const failure = failureOf(() => mustAgree('main', { ...rollup, ...ofRollup }, { ...genesis, ...ofGenesis }));
    expect(failure?.data).toEqual(differences.length === 0 ? undefined : { chain: 'main', differences });
    if (failure !== undefined) {
      expect(failure).toMatchObject({ code: 'chain-files', exit: EXIT.usage });
      expect(failure.message.endsWith(differences.join('; '))).toBe(true);
    }
  });
});

describe('a rollup config', () => {
  const expected = { chainId: 900, hash: HASH, systemConfig: SYSTEM_CONFIG, portal: PORTAL };
  const zero = `0x${'0'.repeat(64)}` as const;

  it('belongs to the L1 whose values it has, in capital letters too', () => {
    expect(failureOf(() => mustBeOnL1('/r', rollup, expected))).toBeUndefined();
    const capital = { ...expected, hash: HASH.toUpperCase() as never, portal: PORTAL.toUpperCase() as never };
    expect(failureOf(() => mustBeOnL1('/r', rollup, capital))).toBeUndefined();
  });

  it.each([
    ['l1_chain_id', { chainId: 1 }, 900, 1],
    ['genesis.l1.hash', { hash: zero }, HASH, zero],
    ['l1_system_config_address', { systemConfig: PORTAL }, SYSTEM_CONFIG, PORTAL],
    ['deposit_contract_address', { portal: SYSTEM_CONFIG }, PORTAL, SYSTEM_CONFIG],
  ])('of another L1 is refused with its %s', (key, change, actual, other) => {
    expect(failureOf(() => mustBeOnL1('/r', rollup, { ...expected, ...change }))).toMatchObject({
      code: 'chain-files',
      exit: EXIT.usage,
      data: { file: '/r', key, found: actual, wanted: other },
      hint: expect.stringContaining('from:'),
    });
  });
});
