import { packageRender } from '../orchestrator/run/render.ts';
import { main } from '../orchestrator/run/supervisor.ts';
import { entryPoint } from '../system/entry.ts';
import { pipesToStarter } from '../system/message-pipe.ts';
import { flushed } from '../system/output.ts';
import { endOnUncaught } from '../system/uncaught.ts';

endOnUncaught('supervisor', (code) => process.exit(code));
const guard = [process.execPath, entryPoint('guard')];
const pipes = pipesToStarter();
void main({ ...pipes, env: process.env, guard, render: packageRender() })
  .then((code) => flushed(code, [pipes.output], 1000))
  .then((code) => process.exit(code));
