import { serveThread } from '../../system/process/thread.ts';
import { loadBackend } from './backend.ts';
import type { ProverRequest } from './prover.ts';

/** Body of the prover's thread. */
const backend = loadBackend();
serveThread<ProverRequest, Uint8Array>(async ({ blob, commitment }) => {
  const { commit, prove } = await backend;
  return commitment === undefined ? commit(blob) : prove(blob, commitment);
});
