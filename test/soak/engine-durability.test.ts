import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { genesisText, upTo } from '../nodes/execution/support/genesis.ts';
import { Lives, lifeArbitrary } from '../nodes/execution/support/lives.ts';
import { JWT, temporaryFolder } from '../nodes/execution/support/nodes.ts';
import { run } from '../nodes/execution/support/process.ts';

const KILLS = Number(process.env['SOAK_KILLS'] ?? 200);
const SEED = Number(process.env['SOAK_SEED'] ?? 2026);

it(`${KILLS} kills of an execution client at random moments lose nothing that it acknowledged`, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'genesis.json'), genesisText(upTo('jovian')));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const lives = new Lives(() =>
    run(
      `--chain=${join(folder, 'genesis.json')}`,
      `--datadir=${join(folder, 'data')}`,
      `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
      '--http',
      '--http.port=0',
      '--authrpc.port=0',
    ),
  );
  for (const life of fc.sample(lifeArbitrary, { seed: SEED, numRuns: KILLS })) await lives.live(life);
  await lives.rest();
  const { start, work, ...done } = lives.counts;
  console.log(`${start} kills during start, ${work} at work;`, done);
  expect(start + work).toBe(KILLS);
  rmSync(folder, { recursive: true, force: true });
});
