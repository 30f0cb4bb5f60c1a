import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderContent } from '../../../src/orchestrator/plan/render.ts';
import { rollupConfigOf } from '../../../src/orchestrator/status/rollup-config.ts';
import { present } from '../../../src/protocol/present.ts';
import { contracts, quickPlanOf } from '../plan/planned.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

const { files, network } = quickPlanOf('{}');
const planned = present(
  files.find(({ path }) => path === network.chains[0]?.rollupFile),
  'rollup file',
);
const text = renderContent(planned.content, { contracts, bundle: () => '' });

it('the rollup configuration of a chain is read from its file', () => {
  using folder = temporaryHome();
  const rollupFile = join(folder.home, 'rollup.json');
  writeFileSync(rollupFile, text);
  expect(rollupConfigOf({ rollupFile }).l2_chain_id).toBe(network.chains[0]?.chainId);
});

it('a rollup configuration that is absent or wrong is refused with the path and each problem', () => {
  using folder = temporaryHome();
  const rollupFile = join(folder.home, 'rollup.json');
  expect(() => rollupConfigOf({ rollupFile })).toThrow(`${rollupFile}: `);
  writeFileSync(rollupFile, JSON.stringify({ ...JSON.parse(text), block_time: 'x', seq_window_size: 'y' }));
  expect(() => rollupConfigOf({ rollupFile })).toThrow(/^\S+rollup\.json: .*block_time.*; .*seq_window_size.*$/);
});
