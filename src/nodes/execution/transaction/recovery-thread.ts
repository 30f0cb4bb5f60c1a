import { serveThread } from '../../../system/process/thread.ts';
import { prepareCrypto } from '../evm/crypto.ts';
import { recoverAll } from './recovered-senders.ts';

/** Body of the thread that recovers senders. */
const ready = prepareCrypto();
serveThread<readonly Uint8Array[], Uint8Array>(async (transactions) => {
  await ready;
  return recoverAll(transactions);
});
