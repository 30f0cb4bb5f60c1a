import { main } from '../nodes/beacon/main.ts';
import { flushOutput } from '../system/program/output.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('l1-beacon', (code) => process.exit(code));
void main(process.argv.slice(2), process.env)
  .then(flushOutput)
  .then((code) => process.exit(code));
