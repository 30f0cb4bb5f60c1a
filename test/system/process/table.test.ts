import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { groupRuns } from '../../../src/system/process/group.ts';
import { procTable } from '../../../src/system/process/table.ts';

const SYS_EXIT = { x64: 60, arm64: 93 }[process.arch as string];
const canRun = process.platform === 'linux' && SYS_EXIT !== undefined && spawnSync('python3', ['-V']).status === 0;

/** Its first thread ends alone. The other one ends with the input. */
const LEADER_ENDS = `
import ctypes, os, threading
threading.Thread(target=lambda: os.read(0, 1)).start()
ctypes.CDLL(None).syscall(${SYS_EXIT}, 0)
`;

it.skipIf(!canRun)('a process runs until its last thread has ended, not its first (with python3)', async () => {
  const child = spawn('python3', ['-c', LEADER_ENDS], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  const exit = once(child, 'exit');
  const id = child.pid ?? 0;
  const group = { id, started: procTable.find(id)?.started ?? '' };
  await expect.poll(() => procTable.find(id)).toMatchObject({ state: 'Z', threads: 2 });
  expect(groupRuns(group)).toBe(true);
  child.stdin.end();
  await exit;
  expect(groupRuns(group)).toBe(false);
});
