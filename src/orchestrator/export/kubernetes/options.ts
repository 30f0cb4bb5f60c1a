/** What the objects of a network have beside its units. */
export interface KubernetesOptions {
  readonly devnet: string;
  readonly namespace: string;
  readonly image: string;
  /** Version of the package, for an annotation. */
  readonly version: string;
  /** Storage class of all volumes; undefined: the cluster's default. */
  readonly storage: string | undefined;
  /** Whether ports of the nodes lead to the JSON-RPC of L1 and of the execution clients. */
  readonly isExposed: boolean;
  /** Paths of the files of the spec, below its folder, by their keys in the ConfigMap. */
  readonly files: Readonly<Record<string, string>>;
}

/** Names of the objects that all units read. */
export const CONFIG = { network: 'network', secrets: 'secrets' } as const;

/** Annotation of a StatefulSet: the version of the package that exported it. */
export const VERSION_ANNOTATION = 'rollup-devnet/version';

/** Labels of all objects of a network. */
export function labelsOf({ devnet }: Pick<KubernetesOptions, 'devnet'>): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'rollup-devnet', 'app.kubernetes.io/instance': devnet };
}

/** Labels of the objects of a unit, and of its pod. */
export function unitLabels(options: KubernetesOptions, unit: string): Readonly<Record<string, string>> {
  return { ...labelsOf(options), 'app.kubernetes.io/component': unit };
}
