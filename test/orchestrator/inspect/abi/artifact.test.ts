import { describe, expect, it } from 'vitest';
import { artifactOf, isDeploymentOf } from '../../../../src/orchestrator/inspect/abi/artifact.ts';

const FINE = { type: 'function', name: 'f', inputs: [] };
const SIGNATURE = { kind: 'function', canonical: 'f()', readable: 'function f()' };

describe('an artifact', () => {
  it('is a plain ABI, with the name of its file and without code', () => {
    expect(artifactOf([FINE, { type: 'constructor' }, null], 'Robot.abi.json')).toEqual({
      ...{ signatures: [SIGNATURE], refused: 1, name: 'Robot', code: undefined },
    });
    expect(artifactOf([], 'Robot.json')).toMatchObject({ name: 'Robot', refused: 0, signatures: [] });
  });

  it('is one of Foundry or Hardhat, with its code', () => {
    expect(artifactOf({ abi: [FINE], deployedBytecode: { object: '0x60AB' } }, 'Robot.json')).toEqual({
      ...{ signatures: [SIGNATURE], refused: 0, name: 'Robot', code: '60ab' },
    });
    const hardhat = { abi: [FINE], contractName: 'Till', deployedBytecode: '60AB' };
    expect(artifactOf(hardhat, 'x.json')).toMatchObject({ name: 'Till', code: '60ab' });
  });

  it.each([null, 'text', 5, {}, { abi: {} }, { abi: null }])('is none of %j', (document) => {
    expect(artifactOf(document, 'a.json')).toBeUndefined();
  });

  it.each([
    ['a b.json', undefined],
    ['1.json', undefined],
    [`${'n'.repeat(64)}.json`, 'n'.repeat(64)],
    [`${'n'.repeat(65)}.json`, undefined],
    ['_a$1.json', '_a$1'],
    ['a.json.json', undefined],
    ['a.jsonx', undefined],
  ])('of the file %s has the name %s', (file, name) => {
    expect(artifactOf([], file)?.name).toBe(name);
  });

  it.each([undefined, 5, '0x', '', {}, { object: 5 }, null])('has no code that is %j', (deployedBytecode) => {
    expect(artifactOf({ abi: [], deployedBytecode }, 'a.json')?.code).toBeUndefined();
  });

  it('has at most 5,000 entries, and says how many are left out', () => {
    const entries = (count: number) => artifactOf(Array(count).fill(FINE), 'a.json');
    expect(entries(5000)).toMatchObject({ refused: 0 });
    expect(entries(5003)?.signatures).toHaveLength(5000);
    expect(entries(5003)).toMatchObject({ refused: 3 });
    expect(artifactOf([...Array(4999).fill(FINE), null, FINE], 'a.json')).toMatchObject({ refused: 2 });
  });
});

describe('a code', () => {
  it.each([
    ['6001', '6001', true],
    ['6001', '6002', false],
    ['6001', '600100', false],
    ['6000ff', '60abff', true],
    ['6000ff', '60abfe', false],
    ['60__$ab$__ff', '601234567890'.slice(0, 12), false],
    ['60__$$ff', '601234ff', true],
    ['60__$$ff', '611234ff', false],
    ['00', 'ab', true],
    ['0a', 'ab', false],
    ['', '', true],
  ])('of the artifact %j is deployed as %j: %s', (artifact, code, expected) => {
    expect(isDeploymentOf(artifact, code)).toBe(expected);
  });
});
