import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { ChainGenesisInputs, GenesisContracts } from '../../protocol/genesis/index.ts';
import { useKeccak } from '../../protocol/hash.ts';
import { packageRoot } from '../../system/entry.ts';
import { Failure } from '../../system/failure.ts';
import { readJson } from '../../system/files.ts';
import { exists, privateFolder, readText, replaceFile } from '../../system/folder.ts';
import { wasmKeccak } from '../../system/keccak.ts';
import type { FileContent, Plan } from '../plan/plan.ts';
import type { Render } from './files.ts';

/** Stands for the genesis state while the text around it is rendered. */
const HOLE = '\u0000';
const KEY = '"alloc":';

/** Bytes that a kept genesis file leaves free before its state, for what differs from network to network. */
const ROOM = 8192;

/**
 * Renders large files with the planner's own functions. A genesis state, which is the same for every network of its kind, is rendered once:
 * its text is kept beside the devnets, behind room for the rest, and is copied by the system.
 */
export function packageRender(): Render {
  let loaded: ReturnType<typeof load> | undefined;
  const tools = () => (loaded ??= load());
  return {
    warm: () => void tools().catch(() => undefined),
    async content(content, plan) {
      if (content.kind === 'text') return content.text;
      if (content.kind === 'upgrade-bundle') return bundle(content.fork);
      const { render, genesis, contracts } = await tools();
      if (content.kind === 'l1-genesis') return render(content, { contracts, bundle });
      const inputs = content.inputs as ChainGenesisInputs;
      const [before = '', after = ''] = render(content, { contracts, bundle, alloc: () => HOLE }).split(HOLE);
      const head = before.slice(0, -KEY.length);
      if (!before.endsWith(KEY) || Buffer.byteLength(head) > ROOM) return render(content, { contracts, bundle });
      const from = cacheFile(plan, genesis.l2StateKey(inputs, contracts));
      if (!exists(from)) {
        privateFolder(dirname(from));
        const alloc = genesis.renderAlloc(genesis.l2Alloc(inputs, contracts));
        replaceFile(from, `${' '.repeat(ROOM)}${KEY}${alloc}${after}`);
      }
      return { from, head };
    },
  };
}

async function load() {
  const [{ renderContent }, genesis, keccak] = await Promise.all([
    import('../plan/render.ts'),
    import('../../protocol/genesis/index.ts'),
    wasmKeccak(),
  ]);
  useKeccak(keccak);
  const contracts = readJson(join(packageRoot(), 'dist', 'contracts.json')) as GenesisContracts;
  return { render: renderContent as (content: FileContent, inputs: RenderInputs) => string, genesis, contracts };
}

type RenderInputs = Parameters<typeof import('../plan/render.ts').renderContent>[1];

function cacheFile(plan: Plan, key: string): string {
  const build = readText(join(packageRoot(), 'dist', 'contracts.hash')) ?? '';
  return join(
    dirname(plan.home),
    '.cache',
    'genesis-text',
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
