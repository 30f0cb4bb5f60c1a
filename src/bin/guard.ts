import { main } from '../orchestrator/run/guard.ts';

void main(process.stdin).then((code) => process.exit(code));
