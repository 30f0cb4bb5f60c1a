import { it } from 'vitest';
import { fuzz } from '../nodes/execution/support/fuzz/fuzz.ts';
import { fuzzPublic } from '../nodes/execution/support/fuzz/public-fuzz.ts';
import { CASES, expectHarmless, SEED } from './fuzz-run.ts';

const filter = process.env['FUZZ_PORT'];
const ports = (['go', 'rust'] as const).flatMap((flavour) =>
  (['http', 'websocket', 'engine'] as const).map((port) => ({ flavour, port, name: `${flavour}-${port}` })),
);

it.each(ports.filter(({ name }) => filter === undefined || name === filter))(
  `$name answers ${CASES} mutated requests rightly, and the valid one after each, in the same memory`,
  async ({ flavour, port }) => {
    if (port === 'engine') await expectHarmless((progress) => fuzz(SEED, CASES, progress, flavour), 0.2);
    else await expectHarmless((progress) => fuzzPublic(flavour, port, SEED, CASES, progress), 0.15);
  },
);
