import { initCommand } from '../nodes/execution/commands/init.ts';
import { runUntilSignal } from '../system/program.ts';

const [, ...argv] = process.argv.slice(2);
void runUntilSignal('execution-client', () => initCommand(argv, process.env)).then((code) => process.exit(code));
