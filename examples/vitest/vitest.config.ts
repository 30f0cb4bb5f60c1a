import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The first test of a file starts its network.
  test: { testTimeout: 60_000, hookTimeout: 60_000 },
});
