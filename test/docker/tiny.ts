import { join } from 'node:path';
import { Tiny } from '../orchestrator/cli/tiny.ts';
import { BASE, leftInDocker } from './support.ts';

/** A network of tiny programs, each in a container. It costs a tenth of a network of real nodes. */
export class Boxes extends Tiny {
  constructor(env: NodeJS.ProcessEnv = {}) {
    super({
      runs: `runs: { docker: { image: "${BASE}", program: node } }\ncommand: [/rpc-node.mjs]`,
      ports: ['discovery: udp'],
      args: { udp: '${port.discovery}' },
    });
    Object.assign(this.env, env);
  }

  /** Writes a spec whose processes all run in containers. */
  override spec(name: string, parts: Parameters<Tiny['spec']>[1] = {}): string {
    return super.spec(name, { ...parts, top: 'runtime: docker' });
  }

  /** Names of the containers and networks of these devnets. */
  left(): string[] {
    return leftInDocker(join(this.home), this.env['DOCKER_HOST']);
  }
}
