import { toBigInt } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { EMPTY_OMMERS_HASH } from '../execution/constants.ts';
import { keccak256 } from '../hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';
import { asBigInt, asBytes, asList, asNumber, type RlpItem, rlpDecode, rlpEncode, rlpSpan, rlpUint } from './rlp.ts';

/**
 * A block header after the merge, of L1 or L2 (geth, alloy: `Header`).
 * Forks add optional fields; each requires those before it.
 */
export interface BlockHeader {
  readonly parentHash: Hex;
  readonly beneficiary: Hex;
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  readonly logsBloom: Hex;
  readonly number: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly timestamp: bigint;
  readonly extraData: Hex;
  readonly mixHash: Hex;
  /** 8 bytes. Only a genesis block has one other than zero; in all others it is absent. */
  readonly nonce?: Hex;
  readonly baseFeePerGas: bigint;
  /** From Shanghai on. */
  readonly withdrawalsRoot?: Hex;
  /** These three from Cancun on. */
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
  readonly parentBeaconBlockRoot?: Hex;
  /** From Prague on. */
  readonly requestsHash?: Hex;
  /** These two from Amsterdam on, which only L1 has (EIP-7928, EIP-7843). */
  readonly blockAccessListHash?: Hex;
  readonly slotNumber?: bigint;
}

const FIXED_FIELDS = 16;
const KNOWN_FIELDS = 23;
const TIMESTAMP = 11;
const EMPTY_NONCE = new Uint8Array(8);
const EMPTY_NONCE_HEX = bytesToHex(EMPTY_NONCE);

/** Encodes the header as RLP, with difficulty 0 and no ommers (geth: `Header.EncodeRLP`). */
export function encodeHeader(header: BlockHeader): Uint8Array {
  const fields: RlpItem[] = [
    hexToSized(header.parentHash, 32),
    hexToSized(EMPTY_OMMERS_HASH, 32),
    hexToSized(header.beneficiary, 20),
    hexToSized(header.stateRoot, 32),
    hexToSized(header.transactionsRoot, 32),
    hexToSized(header.receiptsRoot, 32),
    hexToSized(header.logsBloom, 256),
    rlpUint(0),
    rlpUint(header.number),
    rlpUint(header.gasLimit),
    rlpUint(header.gasUsed),
    rlpUint(header.timestamp),
    hexToBytes(header.extraData),
    hexToSized(header.mixHash, 32),
    header.nonce === undefined ? EMPTY_NONCE : hexToSized(header.nonce, 8),
    rlpUint(header.baseFeePerGas),
  ];
  const { withdrawalsRoot, blobGasUsed, excessBlobGas, parentBeaconBlockRoot, requestsHash } = header;
  const { blockAccessListHash, slotNumber } = header;
  if (withdrawalsRoot !== undefined) fields.push(hexToSized(withdrawalsRoot, 32));
  if (blobGasUsed !== undefined) fields.push(rlpUint(blobGasUsed));
  if (excessBlobGas !== undefined) fields.push(rlpUint(excessBlobGas));
  if (parentBeaconBlockRoot !== undefined) fields.push(hexToSized(parentBeaconBlockRoot, 32));
  if (requestsHash !== undefined) fields.push(hexToSized(requestsHash, 32));
  if (blockAccessListHash !== undefined) fields.push(hexToSized(blockAccessListHash, 32));
  if (slotNumber !== undefined) fields.push(rlpUint(slotNumber));
  return rlpEncode(fields);
}

/** Computes the block hash: keccak-256 of the header's RLP (geth: `Header.Hash`). */
export function headerHash(header: BlockHeader): Hex {
  return keccak256(encodeHeader(header));
}

/**
 * Reads the time (Unix s) of an encoded header, without decoding its other fields. @throws ProtocolError rlp-malformed
 */
export function headerTime(encoded: Uint8Array): bigint {
  let at = rlpSpan(encoded, 0).start;
  for (let field = 0; field < TIMESTAMP; field++) at = rlpSpan(encoded, at).end;
  const { start, end } = rlpSpan(encoded, at);
  return toBigInt(encoded.subarray(start, end));
}

/**
 * Decodes a header.
 * @throws ProtocolError rlp-malformed; payload-invalid on a header from before the merge or with unknown fields
 */
export function decodeHeader(encoded: Uint8Array): BlockHeader {
  const fields = asList(rlpDecode(encoded), 'header');
  const data = (index: number, what: string) => bytesToHex(asBytes(fields[index], what));
  const uint64 = (index: number, what: string) => asBigInt(fields[index], what, 8);
  if (asBigInt(fields[7], 'difficulty') !== 0n || fields.length < FIXED_FIELDS) {
    throw new ProtocolError('payload-invalid', 'drop', 'header: expected one with difficulty 0 and a base fee', {
      field: 'difficulty',
    });
  }
  if (fields.length > KNOWN_FIELDS) {
    const message = `header: expected at most ${KNOWN_FIELDS} fields, found ${fields.length}`;
    throw new ProtocolError('payload-invalid', 'drop', message, { field: 'header' });
  }
  const nonce = data(14, 'nonce');
  return {
    parentHash: data(0, 'parentHash'),
    beneficiary: data(2, 'beneficiary'),
    stateRoot: data(3, 'stateRoot'),
    transactionsRoot: data(4, 'transactionsRoot'),
    receiptsRoot: data(5, 'receiptsRoot'),
    logsBloom: data(6, 'logsBloom'),
    number: asNumber(fields[8], 'number'),
    gasLimit: uint64(9, 'gasLimit'),
    gasUsed: uint64(10, 'gasUsed'),
    timestamp: uint64(TIMESTAMP, 'timestamp'),
    extraData: data(12, 'extraData'),
    mixHash: data(13, 'mixHash'),
    ...(nonce === EMPTY_NONCE_HEX ? {} : { nonce }),
    baseFeePerGas: asBigInt(fields[15], 'baseFeePerGas'),
    ...(fields.length > 16 ? { withdrawalsRoot: data(16, 'withdrawalsRoot') } : {}),
    ...(fields.length > 17 ? { blobGasUsed: uint64(17, 'blobGasUsed') } : {}),
    ...(fields.length > 18 ? { excessBlobGas: uint64(18, 'excessBlobGas') } : {}),
    ...(fields.length > 19 ? { parentBeaconBlockRoot: data(19, 'parentBeaconBlockRoot') } : {}),
    ...(fields.length > 20 ? { requestsHash: data(20, 'requestsHash') } : {}),
    ...(fields.length > 21 ? { blockAccessListHash: data(21, 'blockAccessListHash') } : {}),
    ...(fields.length > 22 ? { slotNumber: uint64(22, 'slotNumber') } : {}),
  };
}
