import { it } from 'vitest';
import { expectSameChain } from './support/crossing.ts';

/** A slice of `make matrix`, which posts blobs too. */
it('verifiers of both flavours derive across an activation from L1 alone', async () => {
  await expectSameChain({
    base: 'granite',
    forks: ['holocene'],
    batches: 'span',
    da: 'calldata',
    compression: 'brotli',
  });
});
