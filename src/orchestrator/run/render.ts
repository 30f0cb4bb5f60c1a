import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ChainGenesisInputs, GenesisContracts } from '../../protocol/genesis/index.ts';
import { packageRoot } from '../../system/entry.ts';
import { Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files.ts';
import { privateFolder, readBytes, readText, replaceFile } from '../../system/folder.ts';
import type { FileContent, Plan } from '../plan/plan.ts';
import type { Render } from './files.ts';

/** Stands for the genesis state while the text around it is rendered. */
const HOLE = '\u0000';

/**
 * Renders large files with the planner's own functions. A genesis state, which is the same for every network of its kind, is rendered once:
 * its text is kept beside the devnets and goes from disk to disk.
 */
export function packageRender(): Render {
  let loaded: ReturnType<typeof load> | undefined;
  const tools = () => (loaded ??= load());
  return {
    warm: () => void tools().catch(() => undefined),
    async parts(content, plan) {
      if (content.kind === 'text') return [content.text];
      if (content.kind === 'upgrade-bundle') return [bundle(content.fork)];
      const { render, genesis, contracts } = await tools();
      if (content.kind === 'l1-genesis') return [render(content, { contracts, bundle })];
      const inputs = content.inputs as ChainGenesisInputs;
      const [before = '', after = ''] = render(content, { contracts, bundle, alloc: () => HOLE }).split(HOLE);
      const file = cacheFile(plan, genesis.l2StateKey(inputs, contracts));
      const known = readBytes(file);
      if (known !== undefined) return [before, known, after];
      const text = genesis.renderAlloc(genesis.l2Alloc(inputs, contracts));
      privateFolder(dirname(file));
      replaceFile(file, text);
      return [before, text, after];
    },
  };
}

async function load() {
  const [{ renderContent }, genesis] = await Promise.all([
    import('../plan/render.ts'),
    import('../../protocol/genesis/index.ts'),
  ]);
  const contracts = readJson(join(packageRoot(), 'dist', 'contracts.json')) as GenesisContracts;
  return { render: renderContent as (content: FileContent, inputs: RenderInputs) => string, genesis, contracts };
}

type RenderInputs = Parameters<typeof import('../plan/render.ts').renderContent>[1];

function cacheFile(plan: Plan, key: string): string {
  const build = readText(join(packageRoot(), 'dist', 'contracts.hash')) ?? '';
  return join(
    dirname(plan.home),
    '.cache',
    'alloc',
    `${createHash('sha256').update(`${build} ${key}`).digest('hex')}.json`,
  );
}

function bundle(fork: string): string {
  const path = join(packageRoot(), 'dist', 'bundles', `${fork}.json`);
  const text = readText(path);
  if (text === undefined)
    throw new Failure('bundle', `there is no upgrade bundle ${path}`, { hint: 'build the package: make build' });
  return text;
}
