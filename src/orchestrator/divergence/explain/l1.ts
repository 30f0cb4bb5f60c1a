import { jsonFields } from '../../../protocol/codec/json.ts';
import type { L1Chain } from '../../../protocol/derivation/ports.ts';
import type { Hex, L1Header, L1Receipt } from '../../../protocol/types.ts';
import { clientFor } from '../../probe/call.ts';

/** Timeout (ms) of a request. */
const L1_TIMEOUT_MS = 10_000;

/** Reads of L1 what the attributes of a block are made of. */
export function l1Reader(url: string): Pick<L1Chain, 'headerByHash' | 'receipts'> {
  const ask = (method: string, params: readonly unknown[]) =>
    clientFor(url).call(method, params, { timeoutMs: L1_TIMEOUT_MS });
  return {
    async headerByHash(hash) {
      const block = await ask('eth_getBlockByHash', [hash, false]);
      return block === null ? null : l1HeaderOf(block);
    },
    async receipts(hash) {
      const receipts = await ask('eth_getBlockReceipts', [{ blockHash: hash }]);
      return Array.isArray(receipts) ? receipts.map(l1ReceiptOf) : null;
    },
  };
}

/** Reads the header of an L1 block off an answer. @throws ProtocolError json-malformed */
export function l1HeaderOf(block: unknown): L1Header {
  const fields = jsonFields(block, 'L1 block');
  const optional = (name: 'parentBeaconBlockRoot' | 'requestsHash') =>
    fields.has(name) ? { [name]: fields.data(name, 32) } : {};
  return {
    hash: fields.data('hash', 32),
    number: fields.number('number'),
    parentHash: fields.data('parentHash', 32),
    timestamp: fields.number('timestamp'),
    mixHash: fields.data('mixHash', 32),
    baseFeePerGas: fields.bigint('baseFeePerGas'),
    ...(fields.has('excessBlobGas') ? { excessBlobGas: fields.number('excessBlobGas') } : {}),
    ...optional('parentBeaconBlockRoot'),
    ...optional('requestsHash'),
  };
}

/** Reads a receipt of L1 off an answer. @throws ProtocolError json-malformed */
export function l1ReceiptOf(receipt: unknown): L1Receipt {
  const fields = jsonFields(receipt, 'L1 receipt');
  return {
    transactionHash: fields.data('transactionHash', 32),
    status: fields.number('status') === 1,
    logs: fields.array('logs').map((log) => {
      const logFields = jsonFields(log, 'L1 log');
      return {
        address: logFields.data('address', 20),
        topics: logFields.array('topics').map((topic) => String(topic).toLowerCase() as Hex),
        data: logFields.data('data'),
        logIndex: logFields.number('logIndex'),
      };
    }),
  };
}
