import { u256be } from '../../../../src/protocol/bytes.ts';
import { TRANSACTION_DEPOSITED_TOPIC } from '../../../../src/protocol/codec/deposit-log.ts';
import { rlpUint } from '../../../../src/protocol/codec/rlp.ts';
import { encodeTransaction } from '../../../../src/protocol/codec/transaction.ts';
import { CONFIG_UPDATE_TOPIC } from '../../../../src/protocol/derivation/attributes/config-updates.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex, L1Receipt, Log } from '../../../../src/protocol/types.ts';
import { hashOf, PORTAL, SYSTEM_CONFIG_ADDRESS } from './rollup.ts';

/** A well-formed type 2 transaction of chain 901, different for each nonce. */
export function userTransaction(nonce: number, data = new Uint8Array(nonce % 50).fill(nonce)): Hex {
  const fields = {
    chainId: rlpUint(901),
    nonce: rlpUint(nonce),
    maxPriorityFeePerGas: rlpUint(1),
    maxFeePerGas: rlpUint(1_000_000_000),
    gas: rlpUint(21_000 + nonce),
    to: new Uint8Array(20).fill(nonce % 251),
    value: rlpUint(nonce),
    data,
    accessList: [],
    v: rlpUint(nonce % 2),
    r: rlpUint(BigInt(nonce) + 1n),
    s: rlpUint(77),
  };
  return bytesToHex(encodeTransaction({ type: 2, fields }));
}

const word = (value: bigint | number) => bytesToHex(u256be(value)).slice(2);

/** Receipts of one successful transaction with these logs, numbered from 0. */
export function receiptsOf(...logs: readonly Omit<Log, 'logIndex'>[]): L1Receipt[] {
  return [
    {
      transactionHash: hashOf('a transaction'),
      status: true,
      logs: logs.map((log, logIndex) => ({ ...log, logIndex })),
    },
  ];
}

/** A ConfigUpdate log with these words as data. */
export function configUpdate(type: number, ...words: (bigint | number)[]): Omit<Log, 'logIndex'> {
  return {
    address: SYSTEM_CONFIG_ADDRESS,
    topics: [CONFIG_UPDATE_TOPIC, `0x${word(0)}`, `0x${word(type)}`],
    data: `0x${word(32)}${word(32 * words.length)}${words.map(word).join('')}`,
  };
}

/** A TransactionDeposited log of a transfer with calldata. */
export function depositLog(from: Hex, to: Hex, value: bigint, data: Hex = '0x'): Omit<Log, 'logIndex'> {
  const calldata = hexToBytes(data);
  const opaque = `${word(value)}${word(value)}${(100_000).toString(16).padStart(16, '0')}00${data.slice(2)}`;
  const length = 73 + calldata.length;
  const padded = opaque.padEnd(Math.ceil(length / 32) * 64, '0');
  return {
    address: PORTAL,
    topics: [
      TRANSACTION_DEPOSITED_TOPIC,
      `0x${from.slice(2).padStart(64, '0')}`,
      `0x${to.slice(2).padStart(64, '0')}`,
      `0x${word(0)}`,
    ],
    data: `0x${word(32)}${word(length)}${padded}`,
  };
}
