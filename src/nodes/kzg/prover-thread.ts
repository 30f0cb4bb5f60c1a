import { concatAll } from '../../protocol/bytes.ts';
import { serveThread } from '../../system/process/thread.ts';
import { type KzgBackend, loadBackend } from './backend.ts';
import { PROOF_BYTES, type ProverRequest } from './prover.ts';

let backend: Promise<KzgBackend> | undefined;

/** Body of the prover's thread. A blob's own proof is verified without the native library, which loads for a second. */
serveThread<ProverRequest, Uint8Array>(async (request) => {
  const { blob } = request;
  if (request.do === 'verify') {
    const { verifyBlob } = await import('./library.ts');
    return answer(verifyBlob(blob, request.commitment, request.proof));
  }
  backend ??= loadBackend();
  const { commit, prove, proveCells, verifyCells } = await backend;
  switch (request.do) {
    case 'commit':
      return commit(blob);
    case 'prove':
      return prove(blob, request.commitment);
    case 'prove-cells':
      return concatAll([...proveCells(blob)]);
    case 'verify-cells':
      return answer(isValid(() => verifyCells(blob, request.commitment, split(request.proofs))));
  }
});

/** The library throws on bytes that are no points. */
function isValid(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

const answer = (holds: boolean): Uint8Array => Uint8Array.of(holds ? 1 : 0);

const split = (proofs: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: proofs.length / PROOF_BYTES }, (_, at) =>
    proofs.subarray(at * PROOF_BYTES, (at + 1) * PROOF_BYTES),
  );
