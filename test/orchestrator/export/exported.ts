import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExportedNetwork, exportNetwork } from '../../../src/orchestrator/export/export-network.ts';
import { loadSpec } from '../../../src/orchestrator/load/load-spec.ts';
import type { LoadedSpec } from '../../../src/orchestrator/load/loaded-spec.ts';
import type { Io } from '../../../src/orchestrator/terminal/io.ts';

/** A command's input and output in a folder of its own. */
export function testIo(): Io {
  const cwd = mkdtempSync(join(tmpdir(), 'export-'));
  return { stdout: () => {}, stderr: () => {}, env: { DEVNET_HOME: join(cwd, 'home') }, cwd, isTty: false };
}

/** Loads the text of a spec, with `net` as the name of its devnet. */
export function loadText(text: string, io: Io = testIo()): Promise<LoadedSpec> {
  const source = { name: 'net.yaml', text, path: join(io.cwd, 'net.yaml') };
  return loadSpec(io, { spec: { source, name: 'net' }, set: [], manual: [] });
}

/** Exports the text of a spec. */
export async function exportText(text: string, isExposed = false): Promise<ExportedNetwork> {
  const io = testIo();
  return await exportNetwork(io, await loadText(text, io), isExposed);
}

/** Specs of every kind that an export must take. */
export const SPECS: Readonly<Record<string, string>> = {
  default: '{}',
  'two chains': 'chains: { a: { chainId: 901 }, b: { chainId: 902, blockTime: 1 } }',
  'dispute games': 'chains: { main: { proposer: { system: dispute-games } } }',
  'no batcher, many verifiers':
    'chains: { main: { batcher: null, proposer: null, nodes: { s: { role: sequencer }, v: { count: 5 } } } }',
  'placed processes':
    'place: { site: a }\nl1: { place: { disk: ssd } }\nchains: { main: { batcher: { place: { site: c } },\n' +
    '  nodes: { s: { role: sequencer }, v: { place: { site: b } } } } }',
  'clients in images of their own':
    'chains: { main: { nodes: { s: { role: sequencer },\n' +
    '  v: { el: { client: op-geth, image: "example.org/op-geth:1" },\n' +
    '    cl: { client: op-node, image: "example.org/op-node:1" } } } } }',
  'sequencers that take over': 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 } } } }',
  blobs: 'chains: { main: { batcher: { da: blobs } } }',
  'a late fork':
    'chains: { main: { forks: { base: holocene, isthmus: +20s },\n' +
    '  nodes: { s: { role: sequencer }, v: { override: { isthmus: +30s } } } } }',
};
