import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { l2Alloc, l2Genesis, renderAlloc, renderL2Genesis } from '../../src/protocol/genesis/index.ts';
import { JWT } from '../nodes/execution/support/nodes.ts';
import { TestDevnet } from '../nodes/rollup/support/devnet.ts';
import { contracts } from '../protocol/genesis/inputs.ts';
import { CHANNEL, makeHistory, TRANSFERS } from './derivation/history.ts';
import { startEngine } from './derivation/programs.ts';
import { clientOf, type Derivation, derive, type Ground, type Import, importAlone } from './derivation/rounds.ts';
import { idleDevnet } from './idle.ts';

/**
 * Measures how fast a fresh verifier derives a history from L1, and what the idle default devnet costs.
 * The comparison is the time in which the execution client alone imports the same payloads, one after the other.
 * PROFILES: a folder for CPU profiles of the programs.
 */
const BLOCKS = Number(process.env['BLOCKS'] ?? 10_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'derivation-bench-'));
const say = (text: string) => process.stderr.write(`bench-derivation: ${text}\n`);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** A network with the history on its L1. */
async function measure(): Promise<{ imports: Import[]; derivations: Derivation[] }> {
  await using devnet = await TestDevnet.start({ ageSeconds: BLOCKS + 5, mine: false });
  const ground: Ground = {
    config: devnet.config,
    folder,
    genesis: join(folder, 'genesis.json'),
    jwt: join(folder, 'jwt.hex'),
    rollupFile: join(devnet.folder, 'rollup.json'),
    l1Url: devnet.l1Url,
  };
  writeFileSync(ground.genesis, renderL2Genesis(devnet.inputs, renderAlloc(l2Alloc(devnet.inputs, contracts))));
  writeFileSync(ground.jwt, Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  say(`building ${BLOCKS} blocks of chain ${l2Genesis(devnet.inputs, contracts).hash.slice(0, 10)}`);
  const payloads = await builtBy(devnet, ground);
  const last = payloads.at(-1)!.executionPayload.blockHash;
  const imports: Import[] = [];
  const derivations: Derivation[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    say(`round ${round} of ${ROUNDS}: import`);
    imports.push(await importAlone(ground, payloads, `import-${round}`));
    say(`round ${round} of ${ROUNDS}: derivation`);
    derivations.push(await derive(ground, BLOCKS, last, `derive-${round}`));
  }
  return { imports, derivations };
}

async function builtBy(devnet: TestDevnet, ground: Ground) {
  await using engine = await startEngine(ground.genesis, ground.jwt, join(folder, 'built'));
  const client = clientOf(devnet.config, engine.port);
  const payloads = await makeHistory(devnet, client, BLOCKS);
  client.close();
  return payloads;
}

try {
  const { imports, derivations } = await measure();
  const alone = median(imports.map(({ seconds }) => seconds));
  const took = median(derivations.map(({ seconds }) => seconds));
  const aloneCpu = median(imports.map(({ engine }) => engine.cpu));
  console.log(
    `history: ${BLOCKS} blocks of ${TRANSFERS} transfers, ${Math.ceil(BLOCKS / CHANNEL)} channels in calldata`,
  );
  console.log(
    `execution client alone: ${alone.toFixed(2)} s, ${(BLOCKS / alone).toFixed(0)} blocks/s, ` +
      `${aloneCpu.toFixed(1)} s CPU`,
  );
  console.log(
    `fresh verifier: ${took.toFixed(2)} s, ${(BLOCKS / took).toFixed(0)} blocks/s, ${(took / alone).toFixed(2)} ` +
      `× (goal 1.2)`,
  );
  const { node, engine, atStart } = derivations.at(-1)!;
  console.log(
    `its first safe block: after ${atStart.seconds.toFixed(2)} s, in which it reads all of L1 before the channels`,
  );
  console.log(
    `its rollup node: ${node.cpu.toFixed(1)} s CPU, ${mb(atStart.node)} resident at the start, ${mb(node.rss)} ` +
      `at the end, ${mb(node.peak)} at most`,
  );
  console.log(
    `its execution client: ${engine.cpu.toFixed(1)} s CPU, ${mb(atStart.engine)} resident at the start, ` +
      `${mb(engine.rss)} at the end, ${mb(engine.peak)} at most`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await idleDevnet();
