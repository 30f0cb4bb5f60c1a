import { openPorts, publicPorts, type Unit } from '../unit.ts';
import { ENTRY, MEMORY_MB } from '../unit-program.ts';
import { composeLabels } from './labels.ts';

/** What a Compose file has beside its units. */
export interface ComposeOptions {
  readonly image: string;
  /** Folder with the spec, relative to the Compose file. */
  readonly networkFolder: string;
  /** File with the seed, relative to the Compose file. */
  readonly secretsFile: string;
  /** Whether other machines reach the JSON-RPC of L1 and of the execution clients. */
  readonly isExposed: boolean;
}

/** Files of a log that are kept, and their size. */
const LOGGING = { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '2' } };

/** Renders what a service has on one daemon and on a swarm: it runs without rights. `command`: of the entry program. */
export function runOf(image: string, command: readonly string[]): object {
  return {
    image,
    entrypoint: [...ENTRY, ...command],
    init: true,
    read_only: true,
    cap_drop: ['ALL'],
    logging: LOGGING,
  };
}

/** Renders the health check of a unit. `question`: the entry program's option for it. */
export function healthCheckOf(question: '--healthy' | '--reachable'): object {
  return {
    test: ['CMD', ...ENTRY, question],
    interval: '3s',
    timeout: '10s',
    retries: 3,
    start_period: '120s',
  };
}

/** Returns the time that an engine gives a unit for a clean end. */
export function graceOf({ graceMs }: Unit): string {
  return `${Math.ceil(graceMs / 1000)}s`;
}

/** Renders the service of a unit: it runs without rights, and writes to its volume alone. */
export function composeService(
  devnet: string,
  unit: Unit,
  { image, networkFolder, isExposed }: ComposeOptions,
): object {
  const ports = publishedPorts(unit, isExposed);
  return {
    ...runOf(image, [`--unit=${unit.name}`]),
    labels: composeLabels(devnet, unit.name),
    restart: 'unless-stopped',
    stop_grace_period: graceOf(unit),
    ...(unit.needs.length === 0
      ? {}
      : { depends_on: Object.fromEntries(unit.needs.map((name) => [name, { condition: 'service_healthy' }])) }),
    volumes: [`${unit.name}:/data`, `./${networkFolder}:/devnet:ro`],
    secrets: ['devnet'],
    ...(ports.length === 0 ? {} : { ports }),
    healthcheck: healthCheckOf('--healthy'),
    tmpfs: ['/tmp'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: `${MEMORY_MB[unit.kind]}m`,
  };
}

/** Lists what a unit publishes: on loopback all that users call, to other machines JSON-RPC without administration. */
function publishedPorts(unit: Unit, isExposed: boolean): readonly string[] {
  const open = isExposed ? openPorts(unit) : [];
  return publicPorts(unit).map(({ port }) => {
    const isOpen = open.some((other) => other.port === port);
    return `${isOpen ? '' : '127.0.0.1:'}${port}:${port}`;
  });
}
