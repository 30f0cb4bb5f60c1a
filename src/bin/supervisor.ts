import { packageRender } from '../orchestrator/run/render.ts';
import { main } from '../orchestrator/run/supervisor.ts';
import { entryPoint } from '../system/entry.ts';

const guard = [process.execPath, entryPoint('guard')];
void main({ input: process.stdin, output: process.stdout, env: process.env, guard, render: packageRender() }).then(
  (code) => process.exit(code),
);
