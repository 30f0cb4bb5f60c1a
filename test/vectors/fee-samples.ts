import { estimatedSizeScaled } from '../../src/protocol/execution/data-gas.ts';
import { flzCompressLen } from '../../src/protocol/execution/fastlz.ts';
import { hexToBytes } from '../../src/protocol/hex.ts';
import { compressedSizeL1Fee } from '../../src/protocol/rules/l1-fee/compressed-size.ts';
import { overheadScalarL1Fee, overheadScalarSignatureL1Fee } from '../../src/protocol/rules/l1-fee/overhead-scalar.ts';
import { twoScalarsL1Fee } from '../../src/protocol/rules/l1-fee/two-scalars.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { same, type VectorCase, type VectorKind } from './kind.ts';

/** The empty legacy transaction of the Go client's fee tests: to 0x0a…, all other fields zero. */
const EMPTY_TRANSACTION = hexToBytes('0xdd80808094095e7baea6a6c7c4c2dfeb977efac326af552d878080808080');

/** `name = big.NewInt(value)` of a Go source; underscores and exponents as Go writes them. */
function integers(text: string): Map<string, bigint> {
  const matches = [...text.matchAll(/(\w+)\s*=\s*big\.NewInt\(([0-9_]+)(?:\s*\*\s*1e(\d+))?\)/g)];
  return new Map(
    matches.map(([, name, value, power]) => [name!, BigInt(value!.replaceAll('_', '')) * 10n ** BigInt(power ?? 0)]),
  );
}

/** Fees in the Go client's tests (rollup_cost_test.go), and lengths of FastLZ (`{"0x…", n}` or `flz…(hex) == n`). */
export const feeSamples: VectorKind = {
  name: 'L1 fees and FastLZ lengths',
  files: /rollup_cost_test\.go$/,
  cases(_, text) {
    const value = integers(text);
    const words: Readonly<Record<number, bigint | undefined>> = {
      1: value.get('baseFee'),
      3: ((value.get('baseFeeScalar') ?? 0n) << 96n) | ((value.get('blobBaseFeeScalar') ?? 0n) << 64n),
      5: value.get('overhead'),
      6: value.get('scalar'),
      7: value.get('blobBaseFee'),
    };
    const storage = (slot: number) => words[slot] ?? 0n;
    const cases: VectorCase[] = [];
    for (const [name, model] of [
      ['bedrock', overheadScalarSignatureL1Fee],
      ['regolith', overheadScalarL1Fee],
      ['ecotone', twoScalarsL1Fee],
      ['fjord', compressedSizeL1Fee],
    ] as const)
      for (const [part, suffix] of [
        ['fee', 'Fee'],
        ['gasUsed', 'Gas'],
      ] as const) {
        const published = value.get(`${name}${suffix}`);
        if (published === undefined) continue;
        cases.push({
          name: `${name} ${part}`,
          check: () => same(part, model.read(storage)!.cost(EMPTY_TRANSACTION)[part], published),
        });
      }
    for (const [, digits, length] of text.matchAll(/"(?:0x)?((?:[0-9a-f]{2}){40,})",\s*(?:\w+:\s*)?(\d+)/g)) {
      const bytes = hexToBytes(`0x${digits!}` as Hex);
      cases.push({
        name: `FastLZ of ${bytes.length} bytes`,
        check: () => same('length', flzCompressLen(bytes), Number(length)),
      });
    }
    if (/170/.test(text))
      cases.push({
        name: 'least size',
        check: () => same('size', estimatedSizeScaled(new Uint8Array(10)), 100_000_000),
      });
    return cases;
  },
};
