import { main } from '../orchestrator/run/guard.ts';

void main(process.stdin, process.stdout).then((code) => process.exit(code));
