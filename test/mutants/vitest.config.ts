import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that mutants must fail: each folder or file of MUTANTS_TESTS, below test/. */
const places = (process.env['MUTANTS_TESTS'] ?? '').split(' ').filter(Boolean);

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: places.map((place) => (place.endsWith('.test.ts') ? place : `${place}/**/*.test.ts`)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Conditions come true late under this tool, whose instrumented code is slow.
    expect: { poll: { timeout: 20_000 } },
  },
});
