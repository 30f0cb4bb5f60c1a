import { main } from '../orchestrator/cli/cli.ts';
import { processIo } from '../orchestrator/cli/io.ts';
import { EXIT } from '../system/failure.ts';
import { isNodeRecent, NODE_NEEDED } from '../system/node-version.ts';
import { flushed } from '../system/output.ts';
import { unsupportedPlatform } from '../system/platform.ts';

const unsupported = unsupportedPlatform();
if (unsupported !== undefined) {
  process.stderr.write(`devnet: ${unsupported}\n`);
  process.exit(EXIT.lacking);
}
if (!isNodeRecent()) {
  process.stderr.write(`devnet: this is Node.js ${process.versions.node}, expected ${NODE_NEEDED} or newer\n`);
  process.stderr.write('  install one, or put it first in PATH: npm install node@24 brings one into a project\n');
  process.exit(EXIT.lacking);
}
void main(process.argv.slice(2), processIo())
  .then(flushed)
  .then((code) => process.exit(code));
