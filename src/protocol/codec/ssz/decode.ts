import { toBigInt, toNumber } from '../../bytes.ts';
import { ProtocolError } from '../../errors.ts';
import { bytesToHex } from '../../hex.ts';
import type { ExecutionPayload, Hex } from '../../types.ts';
import { FIXED_SIZE, OFFSET_SIZE, type PayloadVersion, WITHDRAWAL_SIZE } from './layout.ts';

const MAX_EXTRA_DATA = 32;

/**
 * Decodes a payload from SSZ (op-service: `ExecutionPayload.UnmarshalSSZ`).
 * @throws ProtocolError ssz-malformed, payload-invalid on withdrawals
 */
export function decodePayload(bytes: Uint8Array, version: PayloadVersion): ExecutionPayload {
  const fixed = FIXED_SIZE[version];
  if (bytes.length < fixed) throw malformed(version, `expected at least ${fixed} bytes, found ${bytes.length}`);
  let at = 0;
  const take = (size: number) => {
    at += size;
    return bytes.subarray(at - size, at);
  };
  const data = (size: number) => bytesToHex(take(size));
  const uint64 = () => toBigInt(littleEndian(take(8)));
  const offset = () => toNumber(littleEndian(take(OFFSET_SIZE)));

  const head = {
    parentHash: data(32),
    feeRecipient: data(20),
    stateRoot: data(32),
    receiptsRoot: data(32),
    logsBloom: data(256),
    prevRandao: data(32),
    blockNumber: toNumber(littleEndian(take(8))),
    gasLimit: uint64(),
    gasUsed: uint64(),
    timestamp: uint64(),
  };
  const extraDataAt = offset();
  const baseFeePerGas = toBigInt(littleEndian(take(32)));
  const blockHash = data(32);
  const transactionsAt = offset();
  const withdrawalsAt = version >= 2 ? offset() : bytes.length;
  const blobFields = version >= 3 ? { blobGasUsed: uint64(), excessBlobGas: uint64() } : {};
  const rootField = version >= 4 ? { withdrawalsRoot: data(32) } : {};

  if (extraDataAt !== fixed) throw malformed(version, `extraData must start at ${fixed}, starts at ${extraDataAt}`);
  if (transactionsAt < extraDataAt || withdrawalsAt < transactionsAt || withdrawalsAt > bytes.length) {
    throw malformed(
      version,
      `offsets ${extraDataAt}, ${transactionsAt}, ${withdrawalsAt} are not in order within ${bytes.length} bytes`,
    );
  }
  if (transactionsAt - extraDataAt > MAX_EXTRA_DATA)
    throw malformed(version, `extraData exceeds ${MAX_EXTRA_DATA} bytes`);
  requireNoWithdrawals(bytes.length - withdrawalsAt, version);
  return {
    ...head,
    extraData: bytesToHex(bytes.subarray(extraDataAt, transactionsAt)),
    baseFeePerGas,
    blockHash,
    transactions: decodeTransactionList(bytes.subarray(transactionsAt, withdrawalsAt), version),
    ...(version >= 2 ? { withdrawals: [] as const } : {}),
    ...blobFields,
    ...rootField,
  };
}

function decodeTransactionList(bytes: Uint8Array, version: PayloadVersion): Hex[] {
  if (bytes.length === 0) return [];
  if (bytes.length < OFFSET_SIZE) throw malformed(version, 'transactions: the first offset is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint32(0, true);
  if (first === 0 || first % OFFSET_SIZE !== 0 || first > bytes.length)
    throw malformed(version, `transactions: first offset ${first}`);
  const count = first / OFFSET_SIZE;
  const transactions: Hex[] = [];
  for (let index = 0; index < count; index++) {
    const start = view.getUint32(index * OFFSET_SIZE, true);
    const end = index + 1 < count ? view.getUint32((index + 1) * OFFSET_SIZE, true) : bytes.length;
    if (end < start || end > bytes.length)
      throw malformed(version, `transactions: offsets ${start}, ${end} are not in order`);
    transactions.push(bytesToHex(bytes.subarray(start, end)));
  }
  return transactions;
}

function requireNoWithdrawals(size: number, version: PayloadVersion): void {
  if (size === 0) return;
  if (size % WITHDRAWAL_SIZE !== 0) throw malformed(version, `withdrawals of ${size} bytes are not whole`);
  throw new ProtocolError(
    'payload-invalid',
    'drop',
    `payload must have no withdrawals, has ${size / WITHDRAWAL_SIZE}`,
    {
      field: 'withdrawals',
    },
  );
}

function littleEndian(bytes: Uint8Array): Uint8Array {
  return bytes.toReversed();
}

function malformed(version: PayloadVersion, problem: string): ProtocolError {
  return new ProtocolError('ssz-malformed', 'drop', `SSZ payload of version ${version}: ${problem}`, { version });
}
