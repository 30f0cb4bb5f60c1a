import type { BlockHeader } from '../../../protocol/codec/header.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Seconds } from '../../../protocol/types.ts';
import type { ChainDefinition } from './genesis.ts';

/** Returns the base fee of the child of `parent` at `time` (geth: `CalcBaseFee`). */
export function baseFeeAfter(
  { optimism }: ChainDefinition,
  rulesAt: (time: Seconds) => Rules,
  parent: BlockHeader,
  time: bigint,
): bigint {
  const { gasLimit, gasUsed, blobGasUsed = 0n, baseFeePerGas, extraData } = parent;
  const constants = rulesAt(time).eip1559.constants(optimism);
  return rulesAt(parent.timestamp).baseFee.next(
    { gasLimit, gasUsed, blobGasUsed, baseFeePerGas, extraData },
    constants,
  );
}
