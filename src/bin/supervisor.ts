import { packageRender } from '../orchestrator/folder/render.ts';
import { main } from '../orchestrator/supervisor/supervisor.ts';
import { entryPoint } from '../system/program/entry.ts';
import { flushOutput } from '../system/program/output.ts';
import { pipesToStarter } from '../system/program/starter-pipes.ts';
import { endOnUncaught } from '../system/program/uncaught.ts';

endOnUncaught('supervisor', (code) => process.exit(code));
const guard = [process.execPath, entryPoint('guard')];
const pipes = pipesToStarter();
void main({ ...pipes, env: process.env, guard, render: packageRender() })
  .then((code) => flushOutput(code, [pipes.output], 1000))
  .then((code) => process.exit(code));
