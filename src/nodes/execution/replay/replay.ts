import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { type ForkSchedule, forcedCodeAt } from '../../../protocol/forks/index.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import { baseFeeAfter } from '../chain/base-fee.ts';
import { type ChainDefinition, chainRulesAt } from '../chain/genesis.ts';
import { type BuildingChain, environmentOf } from '../engine/attributes.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import type { FetchedState } from './fetched-state.ts';

/** A parent block whose state is fetched as an execution needs it. */
export interface ReplayParent {
  readonly hash: Hex;
  readonly header: BlockHeader;
  readonly state: FetchedState;
}

/**
 * Builds the child of a block from its attributes under another schedule (kona: `StatelessL2Builder`).
 * The pool is not used.
 * @throws TransactionInvalid naming the transaction, Error if state cannot be fetched
 */
export function replay(
  definition: ChainDefinition,
  schedule: ForkSchedule,
  parent: ReplayParent,
  attributes: PayloadAttributes,
): Promise<ExecutedBlock> {
  const rulesAt: BuildingChain['rulesAt'] = (time) => chainRulesAt(definition, schedule, time);
  const chain: BuildingChain = {
    definition,
    rulesAt,
    knownHeader: () => parent.header,
    baseFeeAfter: (header, time) => baseFeeAfter(definition, rulesAt, header, time),
  };
  const { state } = parent;
  return state.complete(async () => {
    const executor = await BlockExecutor.open(
      {
        chainId: definition.chainId,
        rules: rulesAt(attributes.timestamp),
        parentState: state.reader(parent.header.stateRoot),
        forcedCode: forcedCodeAt(schedule, attributes.timestamp),
        blockHash(number) {
          if (number === parent.header.number) return hexToBytes(parent.hash);
          if (number > parent.header.number || number < parent.header.number - 255 || number < 0) return undefined;
          return state.ancestor(number);
        },
      },
      environmentOf(chain, parent.hash, attributes),
    );
    for (const [index, raw] of attributes.transactions.entries())
      try {
        await executor.run(hexToBytes(raw));
      } catch (error) {
        if (!(error instanceof TransactionInvalid)) throw error;
        throw new Error(`transaction ${index} cannot run: ${error.message}`);
      }
    return executor.seal();
  });
}
