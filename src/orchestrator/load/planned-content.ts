import { genesisContracts } from '../folder/genesis-contracts.ts';
import { readFile, upgradeBundle } from '../folder/render.ts';
import type { FileContent } from '../plan/plan.ts';
import { renderContent } from '../plan/render.ts';

/** Renders a planned file with the package's contracts and bundles. */
export function contentOf(content: FileContent): string {
  if (content.kind === 'text') return content.text;
  return renderContent(content, { contracts: genesisContracts(), bundle: upgradeBundle, read: readFile });
}
