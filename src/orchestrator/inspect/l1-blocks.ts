import { jsonFields } from '../../protocol/codec/json.ts';
import { hexToBytes, quantity } from '../../protocol/hex.ts';
import type { Hex, L1Header, L1Transaction } from '../../protocol/types.ts';
import { httpGet } from '../../rpc/client/http-rest.ts';
import { jsonField } from '../../rpc/json-object.ts';
import { l1HeaderOf } from '../divergence/explain/l1.ts';
import type { Plan } from '../plan/plan.ts';
import { clientFor } from '../probe/call.ts';

/** A block of L1 with its transactions. */
export interface L1Block {
  readonly header: L1Header;
  readonly transactions: readonly L1Transaction[];
}

/** Blocks that one request reads. */
const BLOCKS_PER_REQUEST = 16;

const L1_BLOCKS_TIMEOUT_MS = 20_000;
/** Bytes of an answer with blobs: 72 blobs as hex. */
const MAX_ANSWER_BYTES = 24 * 1024 * 1024;

/** Yields the blocks of L1 of these numbers, in order. Ends at L1's head. */
export async function* l1Blocks({ network }: Plan, first: number, last: number): AsyncGenerator<L1Block, void> {
  const client = clientFor(network.l1.rpc);
  for (let at = first; at <= last; at += BLOCKS_PER_REQUEST) {
    const numbers = Array.from({ length: Math.min(BLOCKS_PER_REQUEST, last - at + 1) }, (_, index) => at + index);
    const answers = await client.batch(
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), true] })),
      { timeoutMs: L1_BLOCKS_TIMEOUT_MS },
    );
    for (const answer of answers) {
      if (!answer.ok) throw answer.error;
      if (answer.result === null) return;
      const transactions = jsonFields(answer.result, 'L1 block').array('transactions').map(l1TransactionOf);
      yield { header: l1HeaderOf(answer.result), transactions };
    }
  }
}

function l1TransactionOf(value: unknown): L1Transaction {
  const fields = jsonFields(value, 'L1 transaction');
  const hashes = fields.has('blobVersionedHashes') ? fields.array('blobVersionedHashes').map(String) : [];
  return {
    hash: fields.data('hash', 32),
    type: fields.has('type') ? fields.number('type') : 0,
    from: fields.data('from', 20),
    to: fields.has('to') ? fields.data('to', 20) : null,
    input: fields.data('input'),
    ...(hashes.length === 0 ? {} : { blobVersionedHashes: hashes.map((hash): Hex => `0x${hash.slice(2)}`) }),
  };
}

/** Reads blobs of an L1 block from the beacon API, in order; null if it lacks one of them. */
export async function blobsOf(
  { network }: Plan,
  { timestamp }: L1Header,
  hashes: readonly Hex[],
): Promise<readonly Uint8Array[] | null> {
  const get = async (path: string): Promise<unknown> => {
    const { status, text } = await httpGet(`${network.l1.beacon}${path}`, {
      timeoutMs: L1_BLOCKS_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    return status === 200 ? jsonField(JSON.parse(text), 'data') : undefined;
  };
  const [genesis, spec] = await Promise.all([get('/eth/v1/beacon/genesis'), get('/eth/v1/config/spec')]);
  const slot = Math.floor(
    (timestamp - Number(jsonField(genesis, 'genesis_time'))) / Number(jsonField(spec, 'SECONDS_PER_SLOT')),
  );
  if (!Number.isSafeInteger(slot)) return null;
  // One by one: an answer has the order of the block, and a blob may stand there twice.
  const all = await Promise.all(
    hashes.map(async (hash) => {
      const blobs = await get(`/eth/v1/beacon/blobs/${slot}?versioned_hashes=${hash}`);
      const [blob] = Array.isArray(blobs) ? blobs : [];
      return typeof blob === 'string' && blob.startsWith('0x') ? hexToBytes(`0x${blob.slice(2)}`) : undefined;
    }),
  );
  return all.every((blob) => blob !== undefined) ? all : null;
}
