import * as z from 'zod';
import { payloadOfBlock } from '../../../protocol/codec/payload-header.ts';
import { payloadToJson } from '../../../protocol/codec/payload-json.ts';
import { bytesToHex, lowerHex, quantity } from '../../../protocol/hex.ts';
import { method } from '../../../rpc/method.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import type { NodeContext } from './context.ts';
import { checkVersion } from './engine-version.ts';

const payloadIdParam = z
  .string()
  .regex(/^0x[0-9a-fA-F]{16}$/, 'expected an 8-byte payload id')
  .transform(lowerHex);

/** Returns `engine_getPayloadV1` to `V5` (geth: `GetPayloadV5`, `getPayload`). */
export function getPayload(version: 1 | 2 | 3 | 4 | 5) {
  return method('Ends a payload and returns it', z.tuple([payloadIdParam]), async (context: NodeContext, [id]) => {
    const job = context.engine.job(id);
    const rules = context.chain.rulesAt(job.timestamp);
    checkVersion('getPayload', version, rules);
    const executed = await context.engine.getPayload(job);
    const { header, transactions, withdrawals } = executed;
    const { executionPayload } = payloadOfBlock(header, transactions.map(bytesToHex), rules, withdrawals);
    if (version === 1) return payloadToJson(executionPayload);
    return {
      executionPayload: payloadToJson(executionPayload),
      blockValue: quantity(tipsOf(executed)),
      ...(version >= 3
        ? {
            blobsBundle: { commitments: [], proofs: [], blobs: [] },
            shouldOverrideBuilder: false,
            parentBeaconBlockRoot: executed.header.parentBeaconBlockRoot,
          }
        : {}),
      ...(version >= 4 ? { executionRequests: executed.requests.map(bytesToHex) } : {}),
    };
  });
}

/** Returns the tips that the fee recipient earns, in wei (geth: `totalFees`). */
function tipsOf({ header, receipts }: ExecutedBlock): bigint {
  return receipts.reduce(
    (sum, { effectiveGasPrice, gasUsed }) =>
      effectiveGasPrice === 0n ? sum : sum + (effectiveGasPrice - header.baseFeePerGas) * gasUsed,
    0n,
  );
}
