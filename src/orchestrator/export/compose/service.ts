import { openPorts, publicPorts, type Unit } from '../unit.ts';
import { ENTRY, MEMORY_MB } from '../unit-program.ts';

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

/** Renders the service of a unit: it runs without rights, and writes to its volume alone. */
export function composeService(unit: Unit, { image, networkFolder, isExposed }: ComposeOptions): object {
  const ports = publishedPorts(unit, isExposed);
  return {
    image,
    entrypoint: [...ENTRY, `--unit=${unit.name}`],
    init: true,
    restart: 'unless-stopped',
    stop_grace_period: `${Math.ceil(unit.graceMs / 1000)}s`,
    ...(unit.needs.length === 0
      ? {}
      : { depends_on: Object.fromEntries(unit.needs.map((name) => [name, { condition: 'service_healthy' }])) }),
    volumes: [`${unit.name}:/data`, `./${networkFolder}:/devnet:ro`],
    secrets: ['devnet'],
    ...(ports.length === 0 ? {} : { ports }),
    healthcheck: {
      test: ['CMD', ...ENTRY, '--healthy'],
      interval: '3s',
      timeout: '10s',
      retries: 3,
      start_period: '120s',
    },
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: `${MEMORY_MB[unit.kind]}m`,
    logging: LOGGING,
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
