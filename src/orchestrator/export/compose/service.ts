import { IMAGE_USER } from '../../image/image-config.ts';
import { type ClientContainer, openPorts, publicPorts, type Unit } from '../unit.ts';
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
  return { image, entrypoint: [...ENTRY, ...command], ...WITHOUT_RIGHTS };
}

const WITHOUT_RIGHTS = { init: true, read_only: true, cap_drop: ['ALL'], logging: LOGGING };

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

/**
 * Renders the services of a unit: one that runs it. A client in an image of its own has others before it, which write
 * its files and prepare its data, each to its end.
 */
export function composeServices(
  devnet: string,
  unit: Unit,
  units: readonly Unit[],
  options: ComposeOptions,
): Readonly<Record<string, object>> {
  const { name, client } = unit;
  const needs = Object.fromEntries(unit.needs.map((need) => [need, { condition: conditionOf(need, units) }]));
  const common = { ...serviceOf(devnet, unit, options), restart: 'unless-stopped' };
  if (client === undefined)
    return {
      [name]: {
        ...entryService([`--unit=${name}`], unit, options),
        ...common,
        ...(unit.needs.length === 0 ? {} : { depends_on: needs }),
        healthcheck: healthCheckOf('--healthy'),
      },
    };
  const steps: readonly (readonly [string, object])[] = [
    [`${name}-files`, entryService([`--unit=${name}`, '--files'], unit, options)],
    ...client.prepare.map((argv, index) => [`${name}-prepare-${index}`, clientRun(unit, client, argv)] as const),
    [name, { ...clientRun(unit, client, client.argv), ...common }],
  ];
  return Object.fromEntries(
    steps.map(([step, service], index) => {
      const [before] = steps[index - 1] ?? [];
      const after = before === undefined ? needs : { [before]: { condition: 'service_completed_successfully' } };
      return [step, { ...service, ...(Object.keys(after).length === 0 ? {} : { depends_on: after }) }];
    }),
  );
}

/** An image of another client has no program that asks for its health. What needs it asks itself. */
function conditionOf(need: string, units: readonly Unit[]): string {
  const isAsked = units.every(({ name, client }) => name !== need || client === undefined);
  return isAsked ? 'service_healthy' : 'service_started';
}

/** Renders what the service of a unit has that others call. */
function serviceOf(devnet: string, unit: Unit, { isExposed }: ComposeOptions): object {
  const ports = publishedPorts(unit, isExposed);
  return {
    labels: composeLabels(devnet, unit.name),
    stop_grace_period: graceOf(unit),
    ...(ports.length === 0 ? {} : { ports }),
    mem_limit: `${MEMORY_MB[unit.kind]}m`,
  };
}

/** Renders a service of the entry program: it runs without rights, and writes to its volume alone. */
function entryService(command: readonly string[], { name }: Unit, { image, networkFolder }: ComposeOptions): object {
  return {
    ...runOf(image, command),
    ...PLACE,
    volumes: [`${name}:/data`, `./${networkFolder}:/devnet:ro`],
    secrets: ['devnet'],
  };
}

/** Renders a service of a client in an image of its own, as the user that its files belong to. */
function clientRun({ name }: Unit, { image, entry, env, cwd }: ClientContainer, argv: readonly string[]): object {
  return {
    image,
    [entry ? 'command' : 'entrypoint']: argv.map(literal),
    user: `${IMAGE_USER}:${IMAGE_USER}`,
    working_dir: cwd,
    ...(Object.keys(env).length === 0 ? {} : { environment: env }),
    ...WITHOUT_RIGHTS,
    ...PLACE,
    // Compose v2 creates all containers first. A daemon makes the working directory then, as root, and would copy it
    // into the empty volume, where the entry program could not write.
    volumes: [{ type: 'volume', source: name, target: '/data', volume: { nocopy: true } }],
  };
}

/** Compose reads `$` as the beginning of a variable. */
function literal(word: string): string {
  return word.replaceAll('$', '$$$$');
}

const PLACE = { tmpfs: ['/tmp'], security_opt: ['no-new-privileges:true'] };

/** Lists what a unit publishes: on loopback all that users call, to other machines JSON-RPC without administration. */
function publishedPorts(unit: Unit, isExposed: boolean): readonly string[] {
  const open = isExposed ? openPorts(unit) : [];
  return publicPorts(unit).map(({ port }) => {
    const isOpen = open.some((other) => other.port === port);
    return `${isOpen ? '' : '127.0.0.1:'}${port}:${port}`;
  });
}
