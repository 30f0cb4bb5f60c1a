import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RollupNodes } from '../nodes/rollup/support/process.ts';

/** Whether this machine has Go, whose pprof is compiled at its first use. */
const hasGo = (() => {
  try {
    return /^go version/.test(execFileSync('go', ['version'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
})();

it.skipIf(process.env['DEVNET_INTEROP_PPROF'] === undefined || !hasGo)(
  'go tool pprof reads the profiles of a rollup node (DEVNET_INTEROP_PPROF, go)',
  async () => {
    await using nodes = new RollupNodes();
    for (const kind of ['cpu', 'heap', 'allocs']) {
      const folder = join(nodes.folder, kind);
      mkdirSync(folder);
      const node = await nodes.spawn(`run-${kind}`, [`--pprof.type=${kind}`, `--pprof.path=${folder}`]).started();
      await node.address();
      expect(await node.stop()).toBe(0);
      const top = execFileSync('go', ['tool', 'pprof', '-top', join(folder, `${kind}.prof`)], { encoding: 'utf8' });
      expect(top).toMatch(/flat\s+flat%/);
    }
  },
);
