import { main } from '../orchestrator/attach/tunnel/main.ts';
import { flushOutput } from '../system/program/output.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('tunnel', (code) => process.exit(code));
void main(process.argv[2] ?? '')
  .then(flushOutput)
  .then((code) => process.exit(code));
