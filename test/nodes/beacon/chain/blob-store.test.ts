import { randomBytes } from 'node:crypto';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBlobStore } from '../../../../src/nodes/beacon/chain/blob-store.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'blob-store-'));

/** A blob transaction: its type, then a blob of which `bytes` are not zero. */
function transaction(bytes: number): Uint8Array {
  const raw = new Uint8Array(131_400);
  raw[0] = 3;
  raw.set(randomBytes(bytes), 1);
  return raw;
}

describe('the store of blob transactions', () => {
  it('returns stored transactions unchanged, with full and with almost empty blobs', () => {
    const store = openBlobStore(folder());
    const values = { empty: transaction(0), few: transaction(200), full: transaction(131_000), proof: randomBytes(48) };
    for (const [name, bytes] of Object.entries(values)) store.put(name, bytes);
    for (const [name, bytes] of Object.entries(values))
      expect(Buffer.from(store.get(name) ?? []).equals(bytes)).toBe(true);
    expect(store.get('absent')).toBeUndefined();
  });

  it('keeps an almost empty blob in less than 2 kB on disk', () => {
    const at = folder();
    openBlobStore(at).put('few', transaction(200));
    expect(statSync(join(at, 'few')).size).toBeLessThan(2000);
  });

  it('reads files of earlier versions, which are not compressed', () => {
    const at = folder();
    const raw = transaction(500);
    writeFileSync(join(at, 'raw'), raw);
    expect(Buffer.from(openBlobStore(at).get('raw') ?? []).equals(raw)).toBe(true);
  });
});
