import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { ExportFile } from '../network-folder.ts';
import { openPorts, type Unit } from '../unit.ts';
import { MEMORY_MB } from '../unit-program.ts';
import { stackHead } from './head.ts';
import { composeLabels } from './labels.ts';
import { type ComposeOptions, graceOf, healthCheckOf, runOf } from './service.ts';

/** Characters of the digest in the name of a config. */
const DIGEST_LENGTH = 12;

/** Returns the name of the overlay network of a stack, by which a tunnel joins it. */
export function stackNetwork(devnet: string): string {
  return `devnet-${devnet}`;
}

/**
 * Renders the stack file of a network, which `docker stack deploy` takes: a service and a volume for each unit. Pure.
 * A swarm reads another dialect than Compose. It refuses conditions of `depends_on`, host addresses of ports and
 * `mem_limit`, and it has no folder that all its machines see.
 * `files`: the spec and the files that it names, each a config.
 */
export function stackText(
  devnet: string,
  units: readonly Unit[],
  files: readonly ExportFile[],
  options: ComposeOptions,
): string {
  const configs = files.map((file) => ({ ...file, config: configName(file) }));
  const mounts = configs.map(({ path, config }) => ({
    source: config,
    target: `/devnet/${path.slice(options.networkFolder.length + 1)}`,
  }));
  const document = {
    version: '3.8',
    services: Object.fromEntries(units.map((unit) => [unit.name, stackService(devnet, unit, mounts, options)])),
    volumes: Object.fromEntries(units.map(({ name }) => [name, {}])),
    // Containers that a user starts join it, such as a tunnel.
    networks: { default: { name: stackNetwork(devnet), driver: 'overlay', attachable: true } },
    configs: Object.fromEntries(configs.map(({ path, config }) => [config, { file: `./${path}` }])),
    secrets: { devnet: { file: `./${options.secretsFile}` } },
  };
  return `${stackHead(devnet)}${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Names a config by its content, because a swarm never changes one: services move to the new name. */
function configName({ path, text }: ExportFile): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  const word = (path.split('/').at(-1) ?? '').replace(/\W+/g, '-').slice(0, 32);
  return `${word}-${digest}`;
}

function stackService(
  devnet: string,
  unit: Unit,
  configs: readonly object[],
  { image, isExposed }: ComposeOptions,
): object {
  const open = isExposed ? openPorts(unit) : [];
  return {
    ...runOf(image, [`--unit=${unit.name}`]),
    // A swarm names a task in its DNS when it is healthy. Before that its health check finds it by this name.
    hostname: unit.name,
    stop_grace_period: graceOf(unit),
    volumes: [`${unit.name}:/data`, { type: 'tmpfs', target: '/tmp' }],
    configs,
    secrets: ['devnet'],
    // The mesh of a swarm hides where a task runs, and needs a virtual address.
    ...(open.length === 0
      ? {}
      : { ports: open.map(({ port }) => ({ target: port, published: port, protocol: 'tcp', mode: 'host' })) }),
    // Rollup nodes that are healthy with their peers alone would wait for each other's names.
    healthcheck: healthCheckOf('--reachable'),
    deploy: {
      labels: composeLabels(devnet, unit.name),
      replicas: 1,
      endpoint_mode: 'dnsrr',
      restart_policy: { condition: 'any', delay: '2s' },
      // Two tasks of a unit would write to one volume.
      update_config: { order: 'stop-first', failure_action: 'pause' },
      placement: { constraints: constraintsOf(unit) },
      resources: { limits: { memory: `${MEMORY_MB[unit.kind]}M` } },
    },
  };
}

/**
 * Lists where a unit may run.
 * L1 without a place stays with a manager, because its volume would be empty on another machine.
 */
function constraintsOf({ place, kind }: Unit): readonly string[] {
  if (place !== undefined) return Object.entries(place).map(([label, value]) => `node.labels.${label} == ${value}`);
  return kind === 'beacon' ? ['node.role == manager'] : [];
}
