import { main } from '../orchestrator/guard/guard.ts';
import { pipesToStarter } from '../system/program/starter-pipes.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('guard', (code) => process.exit(code));
void main(pipesToStarter().input).then((code) => process.exit(code));
