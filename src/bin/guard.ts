import { main } from '../orchestrator/run/guard.ts';
import { pipesToStarter } from '../system/message-pipe.ts';
import { endOnUncaught } from '../system/uncaught.ts';

endOnUncaught('guard', (code) => process.exit(code));
void main(pipesToStarter().input).then((code) => process.exit(code));
