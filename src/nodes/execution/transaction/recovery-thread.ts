import { asBytes, asList, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { serveThread } from '../../../system/process/thread.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { recoverAll } from './recovered-senders.ts';

/** Body of the thread that recovers senders. */
const ready = prepareCrypto();
serveThread<Uint8Array, Uint8Array>(async (transactions) => {
  await ready;
  return recoverAll(asList(rlpDecode(transactions), 'transactions').map((raw) => asBytes(raw, 'transaction')));
});
