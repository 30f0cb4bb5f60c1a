import { toBigInt, toNumber } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import type { Hex, Log } from '../types.ts';
import type { DepositTransaction } from './deposit.ts';
import { userDepositSourceHash } from './source-hash.ts';

/**
 * First topic of TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes
 * opaqueData).
 * Counterpart in op-node: `DepositEventABIHash`.
 */
export const TRANSACTION_DEPOSITED_TOPIC: Hex = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32';

const ALIAS_OFFSET = 0x1111000000000000000000000000000000001111n;
const ADDRESS_SPACE = 1n << 160n;
/** mint ‖ value ‖ gas ‖ isCreation */
const FIXED_LENGTH = 32 + 32 + 8 + 1;

/**
 * Decodes the deposit of a TransactionDeposited log of the portal (op-node: `UnmarshalDepositLogEvent`, kona:
 * `decode_deposit`).
 * `from` is already aliased in the log. Specification: Deposits, Deposit Contract.
 * @throws ProtocolError deposit-malformed, fatal: the portal does not emit such a log
 */
export function depositOfLog(log: Log, l1BlockHash: Hex): DepositTransaction {
  const [topic, from, to, version, ...more] = log.topics;
  if (
    topic !== TRANSACTION_DEPOSITED_TOPIC ||
    from === undefined ||
    to === undefined ||
    version === undefined ||
    more.length > 0
  ) {
    throw malformed(
      'topics',
      `expected TransactionDeposited with 3 indexed arguments, found ${log.topics.length} topics`,
    );
  }
  if (BigInt(version) !== 0n) throw malformed('version', `expected 0, found ${version}`);
  const opaque = opaqueData(hexToBytes(log.data));
  if (opaque.length < FIXED_LENGTH)
    throw malformed('opaqueData', `expected at least ${FIXED_LENGTH} bytes, found ${opaque.length}`);
  return {
    sourceHash: userDepositSourceHash(l1BlockHash, log.logIndex),
    from: addressOfTopic(from),
    to: opaque[72] === 0 ? addressOfTopic(to) : null,
    mint: toBigInt(opaque.subarray(0, 32)),
    value: toBigInt(opaque.subarray(32, 64)),
    gas: toNumber(opaque.subarray(64, 72)),
    isSystemTransaction: false,
    data: bytesToHex(opaque.subarray(FIXED_LENGTH)),
  };
}

/** Computes the L2 address of an L1 contract (op-chain-ops: `ApplyL1ToL2Alias`; specification: Address Aliasing). */
export function aliasedAddress(l1Address: Hex): Hex {
  return address((BigInt(l1Address) + ALIAS_OFFSET) % ADDRESS_SPACE);
}

/** Inverse of {@link aliasedAddress} (op-chain-ops: `UndoL1ToL2Alias`). */
export function unaliasedAddress(l2Address: Hex): Hex {
  return address((BigInt(l2Address) + ADDRESS_SPACE - ALIAS_OFFSET) % ADDRESS_SPACE);
}

/** Returns the content of the ABI-encoded bytes argument, padded no further than its last word. */
function opaqueData(data: Uint8Array): Uint8Array {
  if (data.length < 64 || data.length % 32 !== 0)
    throw malformed('data', `expected whole words, found ${data.length} bytes`);
  if (toBigInt(data.subarray(0, 32)) !== 32n) throw malformed('data', 'expected the bytes argument at offset 32');
  const length = toBigInt(data.subarray(32, 64));
  const room = BigInt(data.length - 64);
  if (length > room || room - length >= 32n)
    throw malformed('data', `expected ${length} bytes of opaqueData, found space for ${room}`);
  return data.subarray(64, 64 + Number(length));
}

function addressOfTopic(topic: Hex): Hex {
  return `0x${topic.slice(26).toLowerCase()}`;
}

function address(value: bigint): Hex {
  return `0x${value.toString(16).padStart(40, '0')}`;
}

function malformed(field: string, problem: string): ProtocolError {
  return new ProtocolError('deposit-malformed', 'fatal', `TransactionDeposited log, ${field}: ${problem}`, { field });
}
