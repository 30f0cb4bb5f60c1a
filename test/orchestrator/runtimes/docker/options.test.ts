import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyCache } from '../../../../src/orchestrator/folder/garbage.ts';
import { taskOptions } from '../../../../src/orchestrator/runtimes/docker/options.ts';
import { pathsOf } from '../../../../src/orchestrator/state/paths.ts';
import { planOf } from '../../plan/planned.ts';

const home = mkdtempSync(join(tmpdir(), 'devnet-options-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('containers have a cache of their own, which is emptied with that of the machine', () => {
  const [task] = planOf('runtime: docker').tasks;
  const container = task?.container;
  if (task === undefined || container === undefined) return expect.fail('no task runs in a container');
  const paths = pathsOf(home, 'any');
  const { HostConfig } = taskOptions({
    task,
    container,
    command: { ...task.command, cwd: join(home, 'any', 'own') },
    paths,
    mark: { folder: paths.folder, supervisor: 'none' },
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    hasInit: true,
    network: 'link',
  });
  const inContainer = join(home, '.cache');
  const bind = HostConfig?.Binds?.find((each) => each.endsWith(`:${inContainer}:rw`)) ?? '';
  const [onMachine = ''] = bind.split(':');
  expect(statSync(onMachine).isDirectory()).toBe(true);
  writeFileSync(join(onMachine, 'kept.1-0'), 'x');
  emptyCache(home);
  expect(() => statSync(onMachine)).toThrow('ENOENT');
});
