/**
 * Builds `dist/contracts.json`, `dist/abi.json` and `dist/bundles/<fork>.json`.
 * It compiles our Solidity, runs constructors and initializers of it and of the published contracts in an EVM, and
 * keeps
 * the state they leave. It does nothing if the inputs are those of the last build.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildAbi } from './contracts/abi.ts';
import { bakeAccounts } from './contracts/accounts.ts';
import { assemble } from './contracts/assemble.ts';
import { buildBundle } from './contracts/bundles.ts';
import { inputsHash, upToDate } from './contracts/inputs.ts';
import { buildL1 } from './contracts/l1.ts';
import { applyLayer, type BuiltLayer, startL2 } from './contracts/l2.ts';
import { readManifest } from './contracts/manifest.ts';
import { bakeRoots } from './contracts/roots.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const hash = inputsHash();

if (upToDate(dist, hash)) {
  console.error('contracts: up to date');
} else {
  const started = performance.now();
  const files = await build();
  for (const [name, value] of Object.entries(files)) {
    const path = join(dist, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  }
  writeFileSync(join(dist, 'contracts.hash'), hash);
  console.error(
    `contracts: ${Object.keys(files).length} files in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
}

/** Path under `dist` → JSON value. */
async function build(): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {};
  const l1 = { 'output-oracle': await buildL1('output-oracle'), 'dispute-games': await buildL1('dispute-games') };
  const l2 = await startL2();
  const layers: BuiltLayer[] = [];
  for (const fork of readManifest()) {
    const bundle = await buildBundle(fork, await l2.machine.copy());
    if (bundle !== undefined) files[`bundles/${fork.fork}.json`] = bundle;
    layers.push(await applyLayer(l2, fork));
  }
  files['abi.json'] = buildAbi();
  files['contracts.json'] = bakeRoots(assemble(l1, l2, layers, bakeAccounts()));
  return files;
}
