import { openPorts, type Unit } from '../unit.ts';
import { type KubernetesOptions, unitLabels } from './options.ts';

/**
 * Renders the Services of a unit.
 * The name of the headless one leads to the pod before that is ready: units find each other by it while they start. An
 * exposed network has another one on ports of the nodes.
 */
export function servicesOf(unit: Unit, options: KubernetesOptions): readonly object[] {
  const { namespace, isExposed } = options;
  const labels = unitLabels(options, unit.name);
  const metadata = (name: string) => ({ name, namespace, labels });
  const ports = unit.ports.map(({ name, port, transport }) => ({ name, port, protocol: transport.toUpperCase() }));
  const open = isExposed ? openPorts(unit) : [];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata(unit.name),
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: labels, ports },
    },
    ...(open.length === 0
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: metadata(`${unit.name}-open`),
            spec: {
              type: 'NodePort',
              selector: labels,
              ports: ports.filter(({ port }) => open.some((other) => other.port === port)),
            },
          },
        ]),
  ];
}
