import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileAssemblyScript } from '../../../src/build/evm/compile.ts';
import { generatedSources } from '../../../src/build/evm/sources.ts';
import { EvmInstance } from '../../../src/evm/machine/instance.ts';
import { OPCODE_GROUPS } from '../../../src/evm/table/index.ts';
import type { OpcodeGroup } from '../../../src/evm/table/opcode.ts';
import { EVM_LEVELS } from '../../../src/protocol/rules/evm-level.ts';
import { bytesOf } from '../../evm/support/code.ts';
import { Loop } from '../../evm/support/loop.ts';

const assembly = join(import.meta.dirname, '..', '..', '..', 'src', 'evm', 'assembly');

/** An opcode of a later fork: its function, and its row with a price that falls. */
const AVERAGE: OpcodeGroup = {
  module: 'average',
  opcodes: [
    {
      ...{ code: 0xb0, name: 'AVERAGE', takes: 2, gives: 1, gas: { paris: 9, cancun: 7, osaka: 4 } },
      ...{ since: 'shanghai', run: 'average' },
    },
  ],
};
const SOURCE = `import { setSmall } from '../word/word';

export function average(sp: usize): void {
  setSmall(sp - 64, (load<u64>(sp - 32) + load<u64>(sp - 64)) / 2);
}
`;

describe('the generator of the loop', () => {
  it('adds an opcode by one function and one row, from its level on, at the price of each level', async () => {
    const sources = new Map([...generatedSources([...OPCODE_GROUPS, AVERAGE]), ['opcodes/average.ts', SOURCE]]);
    const code = await compileAssemblyScript(assembly, sources, 'O1');
    const loop = new Loop(new EvmInstance(new WebAssembly.Module(code)));
    const runs = EVM_LEVELS.map((level) => loop.run(bytesOf('60086004b000'), { level, gas: 100n }));
    expect(runs.map(({ outcome, gasLeft, stack }) => [outcome, gasLeft, ...stack])).toEqual([
      ['invalid opcode', 94n, 8n, 4n],
      ['stopped', 85n, 6n],
      ['stopped', 87n, 6n],
      ['stopped', 87n, 6n],
      ['stopped', 90n, 6n],
    ]);
  });

  it('fails with the messages of the compiler when a row names a function that is missing', async () => {
    const [first] = AVERAGE.opcodes;
    const groups = [...OPCODE_GROUPS, { ...AVERAGE, opcodes: [{ ...first!, run: 'median' }] }];
    const sources = new Map([...generatedSources(groups), ['opcodes/average.ts', SOURCE]]);
    await expect(compileAssemblyScript(assembly, sources, 'O1')).rejects.toThrow(
      /AssemblyScript: .*\n.*average.*median/s,
    );
  });
});
