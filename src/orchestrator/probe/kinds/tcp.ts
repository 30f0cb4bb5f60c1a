import { portAnswers } from '../../../system/net/ports.ts';
import { OK, probeKind, unreachable } from '../probe.ts';

/** The port accepts connections. */
export const tcp = probeKind({
  name: 'tcp',
  written: ({ z, withDescription }) => ({
    tcp: withDescription(z.string('text'), 'name of a port that accepts connections'),
  }),
  plan({ tcp: name, description = `listens at its port ${name}` }, { port }) {
    const place = port(name);
    if (place === undefined) return undefined;
    return { kind: 'tcp' as const, host: place.host, port: place.port, description };
  },
  check: async ({ probe, timeoutMs }) =>
    (await portAnswers(probe.host, probe.port, timeoutMs))
      ? OK
      : unreachable(`no process listens on ${probe.host}:${probe.port}`),
});
