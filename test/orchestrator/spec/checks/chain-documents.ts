import { readRollupGenesis, rollupGenesisHash } from '../../../../src/protocol/genesis/genesis-file.ts';
import { renderL2Genesis, rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { chainInputs, contracts, GENESIS_TIME, ZERO_WORD } from '../../../protocol/genesis/inputs.ts';

type Document = Readonly<Record<string, unknown>>;

/** Seconds after its genesis at which {@link chainDocuments} schedules forks. */
export const LATER = GENESIS_TIME + 100;

/** Makes the files of an existing chain that has one account. `times` are keys of rollup.json. */
export function chainDocuments(times: Document = {}): { readonly genesis: Document; readonly rollup: Document } {
  const inputs = chainInputs();
  const genesis = JSON.parse(renderL2Genesis(inputs, `{"${'11'.repeat(20)}":{"balance":"0x7"}}`)) as Document;
  const read = readRollupGenesis(genesis);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const block = (hash: Hex) => ({ hash, number: 0 });
  const blocks = { l1: block(ZERO_WORD), l2: block(rollupGenesisHash(read.value)) };
  return { genesis, rollup: { ...rollupConfig(inputs, blocks, contracts), ...times } };
}
