import { main } from '../orchestrator/run/guard.ts';
import { pipesToStarter } from '../system/message-pipe.ts';

void main(pipesToStarter().input).then((code) => process.exit(code));
