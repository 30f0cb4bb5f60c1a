import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRollupNode } from '../../../src/nodes/rollup/node.ts';
import { readOptions } from '../../../src/nodes/rollup/options/index.ts';
import { rollupConfig } from '../../../src/protocol/genesis/index.ts';
import { messageOf } from '../../../src/system/failure.ts';
import { chainInputs, contracts, upTo } from '../../protocol/genesis/inputs.ts';

const id = (digit: number) => ({ hash: `0x${String(digit).repeat(64)}` as const, number: 0 });

describe('files that options name', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'unreadable-'));
    const config = rollupConfig(chainInputs({ schedule: upTo('holocene') }), { l1: id(1), l2: id(2) }, contracts);
    writeFileSync(join(folder, 'rollup.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'later.json'), JSON.stringify({ ...config, isthmus_time: config.genesis.l2_time + 2 }));
    writeFileSync(join(folder, 'text'), 'no JSON, no key');
    writeFileSync(join(folder, 'twice'), '{\n  "block_time": 1,\n  "block_time": 2\n}\n');
    writeFileSync(join(folder, 'empty'), '');
    mkdirSync(join(folder, 'folder'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (argv: readonly string[]) =>
    startRollupNode(
      readOptions(
        [
          `--rollup.config=${join(folder, 'rollup.json')}`,
          '--l2=http://127.0.0.1:1',
          `--l2.jwt-secret=${join(folder, 'jwt')}`,
          '--l1.beacon.ignore',
          '--p2p.disable',
          '--rpc.addr=127.0.0.1',
          '--rpc.port=0',
          '--log.level=silent',
          ...argv.map((word) => word.replace('@', folder)),
        ],
        {},
      ),
    );

  it.each([
    ['--rollup.config=@/nowhere', 'nowhere as JSON'],
    ['--rollup.config=@/text', 'text as JSON'],
    ['--rollup.config=@/folder', 'folder as JSON'],
    ['--rollup.config=@/twice', 'line 3, column 3: the key "block_time" stands here twice'],
    ['--l2.jwt-secret=@/text', 'text is not a JWT secret: expected 32 bytes in hex'],
    ['--l2.jwt-secret=@/empty', 'found an empty file'],
    ['--l2.jwt-secret=@/folder', 'cannot read the JWT secret'],
    ['--rollup.l1-chain-config=@/nowhere', 'nowhere as JSON'],
    ['--rollup.l1-chain-config=@/rollup.json', 'has no blobSchedule'],
    ['--rollup.l1-chain-config=@/twice', 'line 3, column 3: the key "block_time" stands here twice'],
    ['--rpc.admin-state=@/text', 'text is not an admin state'],
    ['--safedb.path=@/folder', 'folder'],
    ['--snapshotlog.file=@/folder', 'cannot write the snapshot log'],
    ['--interop.dependency-set=@/text', 'text as JSON'],
    ['--interop.dependency-set=@/twice', 'line 3, column 3: the key "block_time" stands here twice'],
    ['--interop.dependency-set=@/rollup.json', 'is not a dependency set'],
  ])('%s ends the start with the reason and the path', async (option, words) => {
    const refusal = await start([option]).catch((error: unknown) => messageOf(error));
    expect(refusal).toContain(words);
  });

  it('--interop.jwt-secret=@/text is refused like the secret of the engine', async () => {
    const argv = ['--interop.rpc.addr=127.0.0.1', '--interop.rpc.port=0', '--interop.jwt-secret=@/text'];
    await expect(start(argv)).rejects.toThrow('text is not a JWT secret');
  });

  it.each([
    ['without a folder', []],
    ['in a folder that lacks it', ['--rollup.upgrade-bundles=@/folder']],
  ])('the bundle of a later fork, %s, is named when it is missing', async (_, argv) => {
    await expect(start(['--rollup.config=@/later.json', ...argv])).rejects.toThrow('isthmus');
  });
});
