import { stringify } from 'yaml';
import { publicPorts, type Unit } from '../unit.ts';
import { tunnelHead } from './head.ts';
import { type ComposeOptions, runOf } from './service.ts';
import { stackNetwork } from './stack.ts';

/**
 * Renders the Compose file of a tunnel: ports of this machine's loopback lead to the units of a stack. Pure.
 * A swarm publishes ports on every address of a machine. So a container of this machine alone joins the network of the
 * stack, and no other machine reaches what `attach.yaml` names.
 */
export function tunnelText(devnet: string, units: readonly Unit[], { image }: Pick<ComposeOptions, 'image'>): string {
  const places = units.flatMap((unit) => publicPorts(unit).map(({ port }) => ({ host: unit.name, port })));
  const document = {
    services: {
      tunnel: {
        ...runOf(image, [`--forward=${places.map(({ host, port }) => `${host}:${port}`).join(',')}`]),
        restart: 'unless-stopped',
        security_opt: ['no-new-privileges:true'],
        networks: ['stack'],
        ports: places.map(({ port }) => `127.0.0.1:${port}:${port}`),
      },
    },
    networks: { stack: { external: true, name: stackNetwork(devnet) } },
  };
  return `${tunnelHead(devnet)}${stringify(document, { lineWidth: 0 })}`;
}
