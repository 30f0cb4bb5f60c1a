import { afterAll, describe, test } from 'vitest';
import { FORKS, type ForkName } from '../../src/protocol/forks/index.ts';
import { type Crossing, expectSameChain } from '../nodes/rollup/support/crossing.ts';

/** Forks that can be activated, in their order. */
const NAMES = FORKS.filter(({ name, optional }) => name !== 'bedrock' && !optional).map(({ name }) => name);
const after = (fork: ForkName) => NAMES.slice(NAMES.indexOf(fork) + 1);

/** Every fork with every batch type, DA kind and compression that its rules allow, one activation after another. */
const CROSSINGS: readonly Crossing[] = [
  { base: 'bedrock', forks: NAMES, batches: 'singular', da: 'calldata' },
  { base: 'delta', forks: after('delta'), batches: 'span', da: 'calldata' },
  { base: 'ecotone', forks: after('ecotone'), batches: 'singular', da: 'blobs' },
  { base: 'ecotone', forks: after('ecotone'), batches: 'span', da: 'blobs' },
  { base: 'bedrock', forks: NAMES, batches: 'singular', da: 'alt-da' },
  { base: 'delta', forks: after('delta'), batches: 'span', da: 'alt-da' },
  { base: 'fjord', forks: after('fjord'), batches: 'singular', da: 'calldata', compression: 'brotli' },
  { base: 'fjord', forks: after('fjord'), batches: 'singular', da: 'blobs', compression: 'brotli' },
  { base: 'fjord', forks: after('fjord'), batches: 'span', da: 'blobs', compression: 'brotli' },
  { base: 'fjord', forks: after('fjord'), batches: 'span', da: 'alt-da', compression: 'brotli' },
  {
    base: 'granite',
    forks: ['holocene', 'pectrablobschedule', ...after('holocene')],
    batches: 'span',
    da: 'blobs',
    compression: 'brotli',
  },
  { base: 'fjord', forks: after('fjord'), batches: 'span', da: 'calldata', compression: 'brotli' },
];

describe('what was sequenced is derived', () => {
  const lines: string[] = [];
  afterAll(() => console.log(`\n${lines.join('\n')}`));
  test.each(CROSSINGS.map((crossing) => ({ compression: 'zlib' as const, ...crossing })))(
    'from $base, $batches batches in $da, $compression',
    async (crossing) => {
      const { base, forks, batches, da, compression } = crossing;
      const blocks = await expectSameChain(crossing);
      lines.push(
        `${base} → ${forks.join(' → ')}: ${blocks} blocks, ${batches}, ${da}, ${compression}: go and rust agree`,
      );
    },
  );
});
