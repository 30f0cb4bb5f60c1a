import type { Host } from './host.ts';
import type { NatOptions, PortMapping } from './nat.ts';

/** Keeps a port of a router forwarded to this node, and advertises it. The code is loaded by the first call. */
export async function forwardPort(host: Host, options: Omit<NatOptions, 'onMapped'>): Promise<void> {
  const { keepMapped } = await import('./nat.ts');
  const { forwarded } = host.services;
  const outside = (mapping: PortMapping) => ({ ip: mapping.externalHost, port: mapping.externalPort });
  const inside = (mapping: PortMapping) => ({ ip: mapping.internalHost, port: mapping.internalPort });
  await keepMapped({
    ...options,
    onMapped(mapping, before) {
      if (before) forwarded.remove(outside(before), inside(before));
      if (mapping) forwarded.add(outside(mapping), inside(mapping));
    },
  });
}
