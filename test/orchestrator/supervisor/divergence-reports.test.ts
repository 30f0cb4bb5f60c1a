import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DivergenceReport } from '../../../src/orchestrator/state/state.ts';
import { divergenceReports } from '../../../src/orchestrator/supervisor/divergence-reports.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, temporaryHome } from './fixture-plan.ts';

/** Reports a divergence of two nodes that do not answer. `then` is called before they have been asked. */
async function report(then: (folder: string, ending: AbortController) => void, agreedAt?: number) {
  using temporary = temporaryHome();
  const folder = join(temporary.home, 'parted');
  const plan = fixturePlan(temporary.home, 'parted', [{ port: await freePort() }, { port: await freePort() }]);
  const ending = new AbortController();
  const list: DivergenceReport[] = [];
  const reports = divergenceReports({
    ...{ folder, plan: () => plan, emit: () => undefined, agreedAt: () => agreedAt, signal: ending.signal },
    keep: (each) => list.push(each),
    notice: (text) => {
      throw new Error(text);
    },
  });
  const nodes = ['node-1'];
  const done = reports({ chain: 'main', block: 12, nodes, kind: 'hash', fields: [], reason: 'another hash' }, 'node-0');
  then(folder, ending);
  await done;
  return {
    list,
    files: existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [],
  };
}

it('the supervisor stores what explains a divergence in the folder of the devnet', async () => {
  const { list, files } = await report(() => undefined);
  expect(list).toMatchObject([{ chain: 'main', block: 12, nodes: ['node-1'] }]);
  expect(files).toEqual(['divergences', 'divergences/main-12-node-1.json', 'divergences/main-12-node-1.txt']);
});

it('the supervisor says when the nodes agreed again if they did before the report was written', async () => {
  const { list } = await report(() => undefined, 1000);
  expect(list).toMatchObject([{ block: 12, over: 1000 }]);
});

it('the supervisor writes nothing once the network ends: its folder may have been removed', async () => {
  const { list, files } = await report((folder, ending) => {
    ending.abort();
    rmSync(folder, { recursive: true, force: true });
  });
  expect([list, files]).toEqual([[], []]);
});
