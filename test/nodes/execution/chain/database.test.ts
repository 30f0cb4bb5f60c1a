import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseFile, openDatabase } from '../../../../src/nodes/execution/store/database.ts';

it('the database is one file with all its rows after a checkpoint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-database-'));
  const db = openDatabase(folder);
  const log = () => statSync(`${databaseFile(folder)}-wal`).size;
  db.transaction(() => db.prepare('INSERT INTO codes VALUES (?, ?)').run(Buffer.alloc(32, 1), Buffer.alloc(20_000, 2)));
  expect(log()).toBeGreaterThan(20_000);
  db.checkpoint();
  expect(log()).toBe(0);
  expect(statSync(databaseFile(folder)).size).toBeGreaterThan(20_000);
  expect(db.prepare('SELECT length(code) AS size FROM codes').get()).toEqual({ size: 20_000 });
  db.close();
  rmSync(folder, { recursive: true });
});
