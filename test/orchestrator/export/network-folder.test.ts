import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadNetwork, networkFiles, secretsText } from '../../../src/orchestrator/export/network-folder.ts';
import { planUnits } from '../../../src/orchestrator/export/unit-plan.ts';
import { readFile } from '../../../src/orchestrator/folder/render.ts';
import type { LoadedSpec } from '../../../src/orchestrator/load/loaded-spec.ts';
import { loadText, SPECS, testIo } from './exported.ts';

const WORDS = 'test test test test test test test test test test test junk';
const GENESIS = 1_900_000_000;

/** Writes an export's files as a unit finds them, and returns their paths. */
function written(loaded: LoadedSpec, cwd: string) {
  const io = testIo();
  const paths = { network: join(io.cwd, 'devnet'), secrets: join(io.cwd, 'secrets.json') };
  for (const { path, text } of networkFiles(loaded, cwd, readFile)) {
    mkdirSync(dirname(join(paths.network, path)), { recursive: true });
    writeFileSync(join(paths.network, path), text);
  }
  writeFileSync(paths.secrets, secretsText(loaded));
  return { io, paths };
}

it.each(Object.entries(SPECS))('a unit plans the same network from its files as the exporter: %s', async (_, text) => {
  const io = testIo();
  const loaded = await loadText(`seed: 42\ntime: { genesis: ${GENESIS} }\n${text === '{}' ? '' : text}`, io);
  const unit = written(loaded, io.cwd);
  const read = await loadNetwork(unit.io, unit.paths, GENESIS);
  const plan = planUnits(unit.io, read, '/data', GENESIS);
  expect(plan).toEqual(planUnits(io, loaded, '/data', GENESIS));
  expect(plan.genesisTime).toBe(GENESIS);
  expect(plan.seed).toBe(42);
});

it('seed and mnemonic stand in the file of the secrets alone', async () => {
  const io = testIo();
  const loaded = await loadText(`seed: 987654\nchains: { main: { accounts: { mnemonic: ${WORDS} } } }`, io);
  const texts = networkFiles(loaded, io.cwd, readFile).map(({ text }) => text);
  expect(texts.join('\n')).not.toMatch(/987654|junk/);
  expect(JSON.parse(secretsText(loaded))).toEqual({ seed: 987654, mnemonics: { main: WORDS } });
});

it('the files that a spec names go with the export, and units read their copies', async () => {
  const io = testIo();
  const alloc = { '0x00000000000000000000000000000000000000aa': { balance: '0x7' } };
  writeFileSync(join(io.cwd, 'alloc.json'), JSON.stringify(alloc));
  const loaded = await loadText('l1: { alloc: ./alloc.json }\nchains: { main: { alloc: ./alloc.json } }', io);
  const unit = written(loaded, io.cwd);
  const read = await loadNetwork(unit.io, unit.paths, GENESIS);
  expect(Object.values(read.files.allocs)).toEqual(Object.values(loaded.files.allocs));
  expect(Object.keys(read.files.allocs)).toEqual([join(unit.paths.network, 'files', '0-alloc.json')]);
});

it('the folder of ABIs stays on the machine of the exporter', async () => {
  const io = testIo();
  const loaded = await loadText('abi: ./out', io);
  expect(loaded.spec.abi).toBe(join(io.cwd, 'out'));
  expect(
    networkFiles(loaded, io.cwd, readFile)
      .map(({ text }) => text)
      .join(''),
  ).not.toContain(io.cwd);
});

it('an export in containers is planned as programs of the image', async () => {
  const io = testIo();
  const unit = written(await loadText('runtime: docker', io), io.cwd);
  const { tasks } = planUnits(unit.io, await loadNetwork(unit.io, unit.paths, GENESIS), '/data', GENESIS);
  expect(tasks.filter(({ container }) => container !== undefined)).toEqual([]);
});

it('a unit of another version refuses the network, and names both versions', async () => {
  const io = testIo();
  const unit = written(await loadText('{}', io), io.cwd);
  writeFileSync(join(unit.paths.network, 'network.json'), '{"format":1,"version":"9.9.9","devnet":"net"}');
  await expect(loadNetwork(unit.io, unit.paths)).rejects.toThrow(
    /this image has version .*, and version 9\.9\.9 exported/,
  );
  writeFileSync(join(unit.paths.network, 'network.json'), '{"format":2}');
  await expect(loadNetwork(unit.io, unit.paths)).rejects.toThrow('network.json: format');
});
