import { main } from '../nodes/rollup/main.ts';
import { flushed } from '../system/output.ts';

void main(process.argv.slice(2), process.env)
  .then(flushed)
  .then((code) => process.exit(code));
