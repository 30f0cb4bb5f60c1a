import { openPorts, type Unit } from '../unit.ts';
import { type KubernetesOptions, labelsOf, unitLabels } from './options.ts';

/**
 * Renders the NetworkPolicies: pods of the network reach each other and the cluster's DNS, and nothing else.
 * An exposed port takes callers from everywhere, because a node that passes them on hides where they come from.
 */
export function networkPolicies(units: readonly Unit[], options: KubernetesOptions): readonly object[] {
  const { namespace, isExposed } = options;
  const labels = labelsOf(options);
  const network = { podSelector: { matchLabels: labels } };
  const inside = policy('network', options, {
    podSelector: { matchLabels: labels },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [network] }],
    egress: [{ to: [network] }, { to: [{ namespaceSelector: {} }], ports: DNS }],
  });
  const open = (isExposed ? units : []).filter((unit) => openPorts(unit).length > 0);
  return [
    inside,
    ...open.map((unit) =>
      policy(
        `${unit.name}-open`,
        { ...options, namespace },
        {
          podSelector: { matchLabels: unitLabels(options, unit.name) },
          policyTypes: ['Ingress'],
          ingress: [
            { ports: openPorts(unit).map(({ port, transport }) => ({ port, protocol: transport.toUpperCase() })) },
          ],
        },
      ),
    ),
  ];
}

const DNS = [
  { port: 53, protocol: 'UDP' },
  { port: 53, protocol: 'TCP' },
];

function policy(name: string, options: KubernetesOptions, spec: object): object {
  const metadata = { name, namespace: options.namespace, labels: labelsOf(options) };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec };
}

/** Renders the budgets by which a drain leaves L1 and the sequencers alone. */
export function disruptionBudgets(units: readonly Unit[], options: KubernetesOptions): readonly object[] {
  return units
    .filter(({ kind, isSequencer }) => kind === 'beacon' || isSequencer)
    .map(({ name }) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: options.namespace, labels: unitLabels(options, name) },
      spec: { minAvailable: 1, selector: { matchLabels: unitLabels(options, name) } },
    }));
}
