import { main } from '../orchestrator/run/guard.ts';
import { pipeToStarter } from '../system/message-pipe.ts';

void main(pipeToStarter()).then((code) => process.exit(code));
