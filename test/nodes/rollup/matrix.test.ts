import { it } from 'vitest';
import { expectSameChain } from './support/crossing.ts';

it('verifiers of both flavours derive across an activation from L1 alone (a slice of `make matrix`)', async () => {
  await expectSameChain({ base: 'granite', forks: ['holocene'], batches: 'span', da: 'blobs', compression: 'brotli' });
});
