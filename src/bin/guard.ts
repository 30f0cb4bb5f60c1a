import { main } from '../orchestrator/run/guard.ts';

process.exit(await main(process.stdin));
