import { decodeTransaction } from '../../../../src/nodes/execution/transaction/transaction.ts';
import { accountOf } from '../../../../src/nodes/txmgr/account.ts';
import { makeSidecar } from '../../../../src/nodes/txmgr/blob-sidecar.ts';
import { signTransaction } from '../../../../src/nodes/txmgr/transaction.ts';
import { encodeBlob } from '../../../../src/protocol/codec/blob.ts';
import { splitBlobTransaction } from '../../../../src/protocol/codec/blobs/sidecar.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CELL_PROOF_TRANSACTION } from '../../beacon/cell-proofs.ts';
import { type Alloc, GENESIS_TIME, systemContracts } from './genesis.ts';

/** Two senders. */
export const SENDERS = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`].map((key) => accountOf(hexToBytes(key)));
export const L1_CHAIN_ID = 900;
export const L1_SLOT = 2;
/** Slot from which osaka is active. */
export const OSAKA_SLOT = 3;
export const INBOX: Hex = '0xff00000000000000000000000000000000000901';
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerBlobGas: 10n ** 10n };
/** Sender of the transaction with cell proofs. */
const STRANGER = bytesToHex(decodeTransaction(splitBlobTransaction(hexToBytes(CELL_PROOF_TRANSACTION))!.raw).sender);
const EMPTY_QUEUE = { nonce: '0x1', code: '0x00' };

const ALLOC: Alloc = {
  ...systemContracts(),
  ...Object.fromEntries(
    [...SENDERS.map(({ address }) => address), STRANGER].map((address) => [
      address.toLowerCase(),
      { balance: quantity(10n ** 22n) },
    ]),
  ),
  '0x00000961ef480eb55e80d19ad83579a64c007002': EMPTY_QUEUE,
  '0x0000bbddc7ce488642fb579f8b00f3a590007251': EMPTY_QUEUE,
};

/** Genesis of a plain Ethereum chain with two blobs a block, which crosses osaka. */
export const L1_GENESIS = JSON.stringify({
  config: {
    ...{ chainId: L1_CHAIN_ID, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
    osakaTime: GENESIS_TIME + OSAKA_SLOT * L1_SLOT,
    blobSchedule: { prague: { target: 1, max: 2, baseFeeUpdateFraction: 5_007_716 } },
  },
  timestamp: quantity(GENESIS_TIME),
  extraData: '0x',
  gasLimit: quantity(30_000_000),
  difficulty: '0x0',
  mixHash: `0x${'00'.repeat(32)}`,
  coinbase: `0x${'00'.repeat(20)}`,
  baseFeePerGas: '0x3b9aca00',
  alloc: ALLOC,
});

/** Signs a transaction with blobs of these texts. */
export async function withBlobs(from: number, nonce: number, ...texts: string[]): Promise<Uint8Array> {
  const sidecar = await makeSidecar(texts.map((text) => encodeBlob(new TextEncoder().encode(text))));
  const unsigned = {
    chainId: L1_CHAIN_ID,
    nonce,
    gas: 30_000,
    to: INBOX,
    data: new Uint8Array(0),
    fees: FEES,
    sidecar,
  };
  return hexToBytes(signTransaction(SENDERS[from]!, unsigned).raw);
}
