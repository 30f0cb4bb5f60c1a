import { isDeposit } from '../../codec/deposit.ts';
import type { L2BlockRef, PayloadAttributes } from '../../types.ts';
import { prepareAttributes } from '../attributes/attributes.ts';
import { l1RefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { AttributesWithParent } from '../outcome.ts';
import type { Ports, Rollup } from '../ports.ts';
import type { NextBatch } from './batch-queue.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of the batch stage that the attributes queue calls (op-node: `SingularBatchProvider`). */
export interface BatchProviderBelow extends HasOrigin {
  nextBatch(parent: L2BlockRef): Promise<Pulled<NextBatch>>;
  flush(): void;
}

/**
 * Stage 7: payload attributes of the next L2 block (op-node, kona: `AttributesQueue`).
 * Specification: Payload Attributes Derivation.
 */
export interface AttributesQueue extends HasOrigin {
  /** Returns the attributes of the child of `parent` (op-node: `NextAttributes`). */
  nextAttributes(parent: L2BlockRef): Promise<Pulled<AttributesWithParent>>;
  /**
   * Drops the rest of the batch and the channel, and keeps only the deposits of the attributes.
   * Counterparts: `DepositsOnlyAttributes` (op-node), `as_deposits_only` (kona).
   */
  depositsOnly(attributes: AttributesWithParent): AttributesWithParent;
  reset(): void;
}

/**
 * Creates the attributes queue above the batch stage.
 * A batch stays until its attributes are complete, so that a failing port loses none.
 */
export function createAttributesQueue(
  rollup: Rollup,
  { l1, l2 }: Pick<Ports, 'l1' | 'l2'>,
  below: BatchProviderBelow,
): AttributesQueue {
  let pending: NextBatch | null = null;

  return {
    origin: () => below.origin(),
    async nextAttributes(parent) {
      if (pending === null) {
        const next = await below.nextBatch(parent);
        if (typeof next === 'string') return next;
        pending = next;
      }
      const { batch, concluding } = pending;
      checkParent(rollup, pending, parent);
      const epoch = { number: batch.epochNum, hash: batch.epochHash };
      const forced = await prepareAttributes(rollup, l1, l2, parent, epoch);
      pending = null;
      const attributes = { ...forced, transactions: [...forced.transactions, ...batch.transactions] };
      return { attributes, parent, derivedFrom: l1RefOf(below.origin()), concluding };
    },
    depositsOnly(derived) {
      below.flush();
      const { transactions } = derived.attributes;
      return {
        ...derived,
        attributes: { ...derived.attributes, transactions: transactions.filter(isDeposit) },
        concluding: true,
      };
    },
    reset() {
      pending = null;
    },
  };
}

/** Tells whether attributes have no transactions but deposits (op-service: `PayloadAttributes.IsDepositsOnly`). */
export function hasOnlyDeposits({ transactions }: PayloadAttributes): boolean {
  return transactions.every(isDeposit);
}

function checkParent(rollup: Rollup, { batch }: NextBatch, parent: L2BlockRef): void {
  const expected = parent.timestamp + rollup.config.block_time;
  if (batch.parentHash === parent.hash && batch.timestamp === expected) return;
  throw new DerivationError(
    'reset',
    `a batch for time ${batch.timestamp} upon ${batch.parentHash} does not continue the safe head ${parent.hash}, ` +
      `whose child is at ${expected}`,
  );
}
