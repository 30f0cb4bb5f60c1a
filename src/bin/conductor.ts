import { main } from '../nodes/conductor/main.ts';
import { flushOutput } from '../system/program/output.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('conductor', (code) => process.exit(code));
void main(process.argv.slice(2), process.env)
  .then(flushOutput)
  .then((code) => process.exit(code));
