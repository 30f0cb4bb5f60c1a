import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that mutants must fail: each folder or file of MUTANTS_TESTS, below test/, without those after a !. */
const places = (process.env['MUTANTS_TESTS'] ?? '').split(' ').filter(Boolean);

const patternsOf = (of: readonly string[]) =>
  of.map((place) => (place.endsWith('.test.ts') ? place : `${place}/**/*.test.ts`));

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: patternsOf(places.filter((place) => !place.startsWith('!'))),
    exclude: patternsOf(places.filter((place) => place.startsWith('!')).map((place) => place.slice(1))),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Conditions come true late under this tool, whose instrumented code is slow.
    expect: { poll: { timeout: 20_000 } },
  },
});
