import {
  type ChainGenesisInputs,
  type GenesisContracts,
  l1Genesis,
  l2Alloc,
  renderAlloc,
  renderL2Genesis,
} from '../../protocol/genesis/index.ts';
import type { FileContent } from './plan.ts';
import { withoutKeys } from './without-keys.ts';

/** Inputs of rendering that are not part of a plan. */
export interface RenderInputs {
  readonly contracts: GenesisContracts;
  /** Text of the package's upgrade bundle of a fork. */
  bundle(fork: string): string;
  /** Text of a genesis state, as `renderAlloc(l2Alloc(inputs, contracts))` gives it. May be cached. */
  alloc?(inputs: ChainGenesisInputs): string;
  /** Text of a file of the user's. @throws Failure naming the path */
  read?(path: string): string;
}

/** Renders a planned file with the functions that computed the plan's hashes. */
export function renderContent(content: FileContent, inputs: RenderInputs): string {
  switch (content.kind) {
    case 'text':
      return content.text;
    case 'l1-genesis':
      return `${JSON.stringify(l1Genesis(content.inputs, inputs.contracts))}\n`;
    case 'l2-genesis': {
      const genesis = content.inputs;
      return renderL2Genesis(genesis, inputs.alloc?.(genesis) ?? renderAlloc(l2Alloc(genesis, inputs.contracts)));
    }
    case 'upgrade-bundle':
      return inputs.bundle(content.fork);
    case 'without':
      return withoutKeys(sourceText(content.of, inputs), content.keys);
  }
}

function sourceText(
  source: FileContent | { readonly kind: 'file'; readonly path: string },
  inputs: RenderInputs,
): string {
  if (source.kind !== 'file') return renderContent(source, inputs);
  if (inputs.read === undefined) throw new Error(`${source.path} is read by the process that writes files`);
  return inputs.read(source.path);
}
