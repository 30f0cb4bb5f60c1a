import { main } from '../orchestrator/cli/cli.ts';
import { processIo } from '../orchestrator/cli/io.ts';
import { EXIT } from '../system/failure.ts';
import { flushOutput } from '../system/program/output.ts';
import { unsupportedPlatform } from '../system/program/platform.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('devnet', (code) => process.exit(code));
const unsupported = unsupportedPlatform();
if (unsupported !== undefined) {
  process.stderr.write(`devnet: ${unsupported}\n`);
  process.exit(EXIT.lacking);
}
void main(process.argv.slice(2), processIo())
  .then(flushOutput)
  .then((code) => process.exit(code));
