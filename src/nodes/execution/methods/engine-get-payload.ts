import * as z from 'zod';
import { payloadOfBlock } from '../../../protocol/codec/payload-header.ts';
import { payloadToJson } from '../../../protocol/codec/payload-json.ts';
import { transactionType } from '../../../protocol/codec/transaction.ts';
import { bytesToHex, lowerHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { method } from '../../../rpc/method.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import { identityOf } from '../transaction/transaction.ts';
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
            blobsBundle: await blobsBundle(context, executed),
            shouldOverrideBuilder: false,
            parentBeaconBlockRoot: executed.header.parentBeaconBlockRoot,
          }
        : {}),
      ...(version >= 4 ? { executionRequests: executed.requests.map(bytesToHex) } : {}),
    };
  });
}

/**
 * Returns the blobs of a payload with their commitments and proofs (geth: `BlobsBundle`). From osaka on each cell has
 * one.
 */
async function blobsBundle({ chain, pool }: NodeContext, { header, transactions }: ExecutedBlock) {
  const { blobs } = chain.rulesAt(header.timestamp).ethereum ?? {};
  const carriers = blobs ? transactions.filter((raw) => transactionType(raw) === 3) : [];
  const sidecars = await Promise.all(
    carriers.map((raw) => pool.sidecars.inForm(identityOf(raw).hash, blobs?.cellProofs === true)),
  );
  const all = (part: 'commitments' | 'proofs' | 'blobs') =>
    sidecars.flatMap((sidecar) => present(sidecar, 'sidecar of a transaction of the payload')[part]).map(bytesToHex);
  return { commitments: all('commitments'), proofs: all('proofs'), blobs: all('blobs') };
}

/** Returns the tips that the fee recipient earns, in wei (geth: `totalFees`). */
function tipsOf({ header, receipts }: ExecutedBlock): bigint {
  return receipts.reduce(
    (sum, { effectiveGasPrice, gasUsed }) =>
      effectiveGasPrice === 0n ? sum : sum + (effectiveGasPrice - header.baseFeePerGas) * gasUsed,
    0n,
  );
}
