import { IMAGE_USER } from '../../image/image-config.ts';
import type { ClientContainer, Unit } from '../unit.ts';
import { ENTRY, MEMORY_MB } from '../unit-program.ts';
import { CONFIG, type KubernetesOptions, unitLabels, VERSION_ANNOTATION } from './options.ts';

/**
 * Resource requests, measured in the pods of the default network after 13 minutes. Resident memory is 203 MB of L1,
 * which grows, 175 MB of a node's two pods each, and 155 MB of the others. Half of it are pages that pods of a node
 * share. The entry program has 83 MB of each. A pod takes 1 % of a core, and three times that at 1-second blocks with
 * 20 verifiers.
 */
const REQUESTS: Readonly<Record<Unit['kind'], { readonly cpu: string; readonly memory: string }>> = {
  beacon: { cpu: '30m', memory: '256Mi' },
  el: { cpu: '30m', memory: '176Mi' },
  cl: { cpu: '30m', memory: '176Mi' },
  batcher: { cpu: '20m', memory: '152Mi' },
  proposer: { cpu: '20m', memory: '152Mi' },
  challenger: { cpu: '20m', memory: '152Mi' },
  signer: { cpu: '10m', memory: '128Mi' },
  conductor: { cpu: '10m', memory: '128Mi' },
  'da-server': { cpu: '10m', memory: '128Mi' },
};

const VOLUME_SIZE = '10Gi';

/** Seconds between two questions. */
const STARTUP_PERIOD_S = 1;
const READINESS_PERIOD_S = 5;

/** Renders the StatefulSet of a unit: its name stays the same wherever its pod runs. */
export function statefulSet(unit: Unit, options: KubernetesOptions): object {
  const { namespace, version } = options;
  const labels = unitLabels(options, unit.name);
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: unit.name, namespace, labels, annotations: { [VERSION_ANNOTATION]: version } },
    spec: {
      replicas: 1,
      serviceName: unit.name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      template: {
        metadata: { labels, annotations: { 'rollup-devnet/plan': unit.digest } },
        spec: podOf(unit, options),
      },
      volumeClaimTemplates: [claimOf(options)],
    },
  };
}

function claimOf({ storage }: KubernetesOptions): object {
  return {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: VOLUME_SIZE } },
      ...(storage === undefined ? {} : { storageClassName: storage }),
    },
  };
}

/** Renders a pod that a namespace of the restricted Pod Security level takes. */
function podOf(unit: Unit, options: KubernetesOptions): object {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(unit.place === undefined ? {} : { nodeSelector: unit.place }),
    terminationGracePeriodSeconds: Math.ceil(unit.graceMs / 1000),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: IMAGE_USER,
      runAsGroup: IMAGE_USER,
      fsGroup: IMAGE_USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(unit.client === undefined
      ? { containers: [unitContainer(unit, options)] }
      : { initContainers: preparing(unit, unit.client, options), containers: [clientContainer(unit, unit.client)] }),
    volumes: [
      { name: 'network', configMap: { name: CONFIG.network, items: itemsOf(options) } },
      { name: 'secrets', secret: { secretName: CONFIG.secrets, defaultMode: 0o440 } },
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ],
  };
}

function itemsOf({ files }: KubernetesOptions): readonly object[] {
  return Object.entries(files).map(([key, path]) => ({ key, path }));
}

/** Renders what all containers of a pod have. */
const CONTAINER = {
  imagePullPolicy: 'IfNotPresent',
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
};

const DATA_MOUNT = { name: 'data', mountPath: '/data' };
const TMP_MOUNT = { name: 'tmp', mountPath: '/tmp' };

/** Renders a container that the entry program runs in. `command`: of the entry program. */
function entryContainer(name: string, command: readonly string[], { image }: KubernetesOptions): object {
  return {
    ...CONTAINER,
    name,
    image,
    command: [...ENTRY, ...command, '--secrets=/secrets/devnet.json'],
    volumeMounts: [
      DATA_MOUNT,
      { name: 'network', mountPath: '/devnet', readOnly: true },
      { name: 'secrets', mountPath: '/secrets', readOnly: true },
      TMP_MOUNT,
    ],
  };
}

function unitContainer(unit: Unit, options: KubernetesOptions): object {
  return { ...entryContainer('unit', [`--unit=${unit.name}`], options), ...servingOf(unit) };
}

/** Renders the ports, probes and resources of the container that others call. */
function servingOf({ kind, ports, probe }: Unit): object {
  const health = { ...probe, timeoutSeconds: 5 };
  return {
    ports: ports.map(({ name, port, transport }) => ({ name, containerPort: port, protocol: transport.toUpperCase() })),
    startupProbe: { ...health, periodSeconds: STARTUP_PERIOD_S, failureThreshold: 300 },
    readinessProbe: { ...health, periodSeconds: READINESS_PERIOD_S, failureThreshold: 3 },
    resources: { requests: REQUESTS[kind], limits: { memory: `${MEMORY_MB[kind]}Mi` } },
  };
}

/** Renders what runs before a client of another image: the entry program writes its files, it prepares its data. */
function preparing(unit: Unit, client: ClientContainer, options: KubernetesOptions): readonly object[] {
  return [
    entryContainer('files', [`--unit=${unit.name}`, '--files'], options),
    ...client.prepare.map((argv, index) => clientRun(`prepare-${index}`, client, argv)),
  ];
}

function clientContainer(unit: Unit, client: ClientContainer): object {
  return { ...clientRun('unit', client, client.argv), ...servingOf(unit) };
}

function clientRun(name: string, { image, entry, env, cwd }: ClientContainer, argv: readonly string[]): object {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  return {
    ...CONTAINER,
    name,
    image,
    [entry ? 'args' : 'command']: argv,
    workingDir: cwd,
    ...(variables.length === 0 ? {} : { env: variables }),
    volumeMounts: [DATA_MOUNT, TMP_MOUNT],
  };
}
