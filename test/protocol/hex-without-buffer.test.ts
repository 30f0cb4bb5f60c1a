import { afterAll, expect, it, vi } from 'vitest';

vi.stubGlobal('Buffer', undefined);
// Test files share modules: hex.ts may be loaded with Buffer.
vi.resetModules();
const { bytesToHex, hexToBytes } = await import('../../src/protocol/hex.ts');
vi.unstubAllGlobals();
afterAll(() => vi.resetModules());

it.each([0, 1, 32, 33, 64, 4096, 4097, 10_000])('%i bytes have the same hex in a runtime without Buffer', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + 7) & 255);
  const hex = `0x${Buffer.from(bytes).toString('hex')}` as const;
  expect(bytesToHex(bytes)).toBe(hex);
  expect(hexToBytes(hex)).toEqual(bytes);
});
