import { join } from 'node:path';
import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { Failure } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';
import type { Render } from './files.ts';
import { genesisContracts } from './genesis-contracts.ts';

/** Renders large files with the planner's functions, which load with the first. */
export function packageRender(): Render {
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async content(content, plan) {
      if (content.kind === 'text') return content.text;
      if (content.kind === 'upgrade-bundle') return upgradeBundle(content.fork);
      loaded ??= load();
      const { renderContent, genesisCopy } = await loaded;
      const inputs = { contracts: genesisContracts(), bundle: upgradeBundle, read: readFile };
      return genesisCopy(content, plan, inputs) ?? renderContent(content, inputs);
    },
  };
}

async function load() {
  const [{ renderContent }, { genesisCopy }, keccak] = await Promise.all([
    import('../plan/render.ts'),
    import('./kept-genesis.ts'),
    wasmKeccak(),
  ]);
  useKeccak(keccak);
  return { renderContent, genesisCopy };
}

/** Returns the text of a file. @throws Failure if it cannot be read */
export function readFile(path: string): string {
  const text = readText(path);
  if (text === undefined) throw new Failure('read', `cannot read ${path}`);
  return text;
}

/** Returns the package's upgrade bundle of a fork. @throws Failure if there is none */
export function upgradeBundle(fork: string): string {
  const path = join(packageRoot(), 'dist', 'bundles', `${fork}.json`);
  const text = readText(path);
  if (text === undefined)
    throw new Failure('bundle', `there is no upgrade bundle ${path}`, { hint: 'build the package: make build' });
  return text;
}
