import { beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../src/nodes/execution/evm/crypto.ts';
import { CONTRACTS } from '../differential/case.ts';
import { caseOf, compareFrom, showDifference } from '../differential/compare.ts';
import { runOurs } from '../differential/ours.ts';
import { type Plant, withPlant } from '../differential/plant.ts';

beforeAll(prepareCrypto);

describe('our EVM and the EVM library', () => {
  it('agree on generated contracts that call and create each other, at each level', async () => {
    const difference = await compareFrom(1, 250);
    expect(difference === undefined ? 'agree' : showDifference(difference)).toBe('agree');
  });

  it('our EVM ends alike in one run and in slices of gas', () => {
    for (let seed = 1; seed <= 100; seed++) expect(runOurs(caseOf(seed), 50n)).toEqual(runOurs(caseOf(seed)));
  });

  it.each([
    ['SHL and SHR alike', { opcode: 'SHL', row: { run: 'shr' } }],
    ['BLOBHASH at a level before its own', { opcode: 'BLOBHASH', row: { since: 'shanghai' } }],
    ['TSTORE in a static call', { opcode: 'TSTORE', row: { writes: undefined as never } }],
  ] satisfies [string, Plant][])('differ when our EVM runs %s', async (_, plant) => {
    const instance = await withPlant(plant);
    expect(await compareFrom(1, 2000, (each) => runOurs(each, undefined, instance), 'first')).toBeDefined();
  });

  it('differ by a planted price, which the smallest program shows', async () => {
    const instance = await withPlant({ opcode: 'ADD', row: { gas: 4 } });
    const difference = await compareFrom(1, 2000, (each) => runOurs(each, undefined, instance));
    const codes = CONTRACTS.map((at) => difference?.smallest.accounts.get(at)?.code ?? new Uint8Array());
    expect(codes.reduce((sum, code) => sum + code.length, 0)).toBeLessThan(40);
    expect(codes.some((code) => code.includes(0x01))).toBe(true);
  });
});
