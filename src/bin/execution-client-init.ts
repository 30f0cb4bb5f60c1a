import { initCommand } from '../nodes/execution/commands/init.ts';
import { flushed } from '../system/output.ts';
import { runUntilSignal } from '../system/program.ts';

const [, ...argv] = process.argv.slice(2);
void runUntilSignal('execution-client', () => initCommand(argv, process.env))
  .then(flushed)
  .then((code) => process.exit(code));
