import { renderRollupConfig } from '../../../protocol/genesis/index.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import type { PlannedFile } from '../plan.ts';
import type { PlannedChain } from './planned-chain.ts';

/** Plans the files that all processes of a chain share: genesis, rollup configuration and upgrade bundles. */
export function chainFiles(chain: PlannedChain, inputs: PlanInputs): readonly PlannedFile[] {
  const file = (path: string, content: PlannedFile['content']): PlannedFile => ({
    path,
    mode: 0o644,
    secret: false,
    content,
  });
  const bundles = chain.bundleForks.map(({ name }) => {
    const path = chain.spec.bundles[name];
    const content =
      path === undefined
        ? ({ kind: 'upgrade-bundle', fork: name } as const)
        : ({ kind: 'text', text: entryOf(inputs.bundleTexts, path) } as const);
    return file(`${chain.bundleFolder}/${name}.json`, content);
  });
  if (chain.spec.from !== null) return bundles;
  return [
    file(chain.genesisFile, { kind: 'l2-genesis', inputs: chain.genesis }),
    file(chain.rollupFile, { kind: 'text', text: renderRollupConfig(chain.rollup) }),
    ...bundles,
  ];
}
