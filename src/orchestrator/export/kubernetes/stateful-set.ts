import type { Unit } from '../unit.ts';
import { ENTRY, MEMORY_MB } from '../unit-program.ts';
import { CONFIG, type KubernetesOptions, unitLabels, VERSION_ANNOTATION } from './options.ts';

/** User of the image, and owner of the volumes. */
const USER = 65532;

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
};

const VOLUME_SIZE = '10Gi';

/** Names of the ports that answer `GET /readyz`. */
const READY_PORT: Readonly<Record<Unit['kind'], string>> = {
  beacon: 'http',
  el: 'http',
  cl: 'rpc',
  batcher: 'rpc',
  proposer: 'rpc',
};

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
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [containerOf(unit, options)],
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

function containerOf(unit: Unit, { image }: KubernetesOptions): object {
  const health = { httpGet: { path: '/readyz', port: READY_PORT[unit.kind] }, timeoutSeconds: 5 };
  return {
    name: 'unit',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: [...ENTRY, `--unit=${unit.name}`, '--secrets=/secrets/devnet.json'],
    ports: unit.ports.map(({ name, port, transport }) => ({
      name,
      containerPort: port,
      protocol: transport.toUpperCase(),
    })),
    startupProbe: { ...health, periodSeconds: STARTUP_PERIOD_S, failureThreshold: 300 },
    readinessProbe: { ...health, periodSeconds: READINESS_PERIOD_S, failureThreshold: 3 },
    resources: { requests: REQUESTS[unit.kind], limits: { memory: `${MEMORY_MB[unit.kind]}Mi` } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'network', mountPath: '/devnet', readOnly: true },
      { name: 'secrets', mountPath: '/secrets', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}
