import { stringify } from 'yaml';
import type { ExportFile } from '../network-folder.ts';
import type { Unit } from '../unit.ts';
import { CONFIG, type KubernetesOptions, labelsOf } from './options.ts';
import { disruptionBudgets, networkPolicies } from './policies.ts';
import { rollOutText } from './roll-out.ts';
import { servicesOf } from './services.ts';
import { statefulSet } from './stateful-set.ts';

/** Where the files of a network stand in its export. */
interface ExportPaths {
  /** Folder of the spec. */
  readonly networkFolder: string;
  readonly secretsFile: string;
}

/**
 * Renders a network as Kubernetes objects, a kustomization, and a script that brings a running one to it. Pure.
 * Neither fork times nor hashes of the chain nor secrets stand in the objects: units read them from a ConfigMap and a
 * Secret, which the kustomization makes of the export's files.
 */
export function kubernetesFiles(
  units: readonly Unit[],
  options: KubernetesOptions,
  paths: ExportPaths,
): readonly ExportFile[] {
  const objects: Readonly<Record<string, readonly object[]>> = {
    'namespace.yaml': [namespaceOf(options)],
    'policies.yaml': [...networkPolicies(units, options), ...disruptionBudgets(units, options)],
    ...Object.fromEntries(
      units.map((unit) => [`${unit.name}.yaml`, [...servicesOf(unit, options), statefulSet(unit, options)]]),
    ),
  };
  return [
    { path: 'kustomization.yaml', text: kustomizationText(Object.keys(objects), options, paths) },
    ...Object.entries(objects).map(([path, list]) => ({ path, text: list.map(yaml).join('---\n') })),
    { path: 'roll-out.sh', text: rollOutText(units, options) },
  ];
}

function yaml(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Renders the namespace, in which only pods without rights are taken. */
function namespaceOf(options: KubernetesOptions): object {
  const level = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: options.namespace, labels: { ...labelsOf(options), ...level } },
  };
}

function kustomizationText(
  resources: readonly string[],
  options: KubernetesOptions,
  { networkFolder, secretsFile }: ExportPaths,
): string {
  const { devnet, namespace, files } = options;
  const head = [
    `# The network "${devnet}", exported by rollup-devnet.`,
    '#   kubectl apply -k .     starts it',
    '#   sh roll-out.sh         brings a running one to this state, one process at a time',
    `#   kubectl -n ${namespace} rollout status statefulset/l1   waits for a process`,
    '#   kubectl delete -k .    removes it with its volumes',
    '',
  ].join('\n');
  const configFiles = Object.entries(files).map(([key, path]) => `${key}=${networkFolder}/${path}`);
  return `${head}${yaml({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources,
    // Units that a new spec changes are started again by their digest, and others are not.
    generatorOptions: { disableNameSuffixHash: true, labels: labelsOf(options) },
    configMapGenerator: [{ name: CONFIG.network, files: configFiles }],
    secretGenerator: [{ name: CONFIG.secrets, files: [`devnet.json=${secretsFile}`] }],
  })}`;
}
