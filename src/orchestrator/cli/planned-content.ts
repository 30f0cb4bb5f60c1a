import type { GenesisContracts } from '../../protocol/genesis/index.ts';
import type { FileContent } from '../plan/plan.ts';
import { renderContent } from '../plan/render.ts';
import { bundleText, genesisContracts } from './package-files.ts';

let contracts: GenesisContracts | undefined;

/** The text of a planned file, with the package's own contracts and bundles. */
export function contentOf(content: FileContent): string {
  contracts ??= content.kind === 'text' ? undefined : genesisContracts();
  return content.kind === 'text' ? content.text : renderContent(content, { contracts: contracts!, bundle: bundleText });
}
