import { packageRender } from '../orchestrator/run/render.ts';
import { main } from '../orchestrator/run/supervisor.ts';
import { entryPoint } from '../system/entry.ts';
import { pipeToStarter } from '../system/message-pipe.ts';
import { flushed } from '../system/output.ts';

const guard = [process.execPath, entryPoint('guard')];
const pipe = pipeToStarter();
void main({ input: pipe, output: pipe, env: process.env, guard, render: packageRender() })
  .then((code) => flushed(code, [pipe], 1000))
  .then((code) => process.exit(code));
