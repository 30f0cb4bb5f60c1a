import { concat, toBigInt, toNumber, u256be } from '../../bytes.ts';
import { bytesToHex, hexToSized } from '../../hex.ts';
import type { L1AttributesCodec } from '../rules.ts';
import { l1AttributesReader, NO_L1_BLOCK_INFO } from './reader.ts';

const SELECTOR = '0x015d8eb9';
const WORDS = 8;

/**
 * ABI encoding of bedrock's call (op-node: `marshalBinaryBedrock`, kona: `L1BlockInfoBedrock`).
 * setL1BlockValues(number, timestamp, basefee, hash, sequenceNumber, batcherHash, l1FeeOverhead, l1FeeScalar).
 */
export const abiSystemL1Attributes: L1AttributesCodec = {
  selector: SELECTOR,
  gas: 150_000_000,
  isSystemTransaction: true,
  encode: (info) =>
    concat(
      hexToSized(SELECTOR, 4),
      u256be(info.number),
      u256be(info.timestamp),
      u256be(info.baseFee),
      hexToSized(info.hash, 32),
      u256be(info.sequenceNumber),
      new Uint8Array(12),
      hexToSized(info.batcherAddr, 20),
      hexToSized(info.l1FeeOverhead, 32),
      hexToSized(info.l1FeeScalar, 32),
    ),
  decode(calldata) {
    const read = l1AttributesReader(calldata, SELECTOR, 4 + WORDS * 32);
    const integer = () => {
      read.zeros(24);
      return toNumber(read.take(8));
    };
    return {
      ...NO_L1_BLOCK_INFO,
      number: integer(),
      timestamp: integer(),
      baseFee: toBigInt(read.take(32)),
      hash: bytesToHex(read.take(32)),
      sequenceNumber: integer(),
      batcherAddr: read.address(),
      l1FeeOverhead: bytesToHex(read.take(32)),
      l1FeeScalar: bytesToHex(read.take(32)),
    };
  },
};

/** The same call as an ordinary deposit with a bounded gas limit, from regolith on (op-node: `RegolithSystemTxGas`). */
export const abiL1Attributes: L1AttributesCodec = {
  ...abiSystemL1Attributes,
  gas: 1_000_000,
  isSystemTransaction: false,
};
