import { specDocument } from './document.ts';
import type { ChainSpec, Spec } from './spec.ts';
import type { ForkTime } from './values.ts';

/** When a network began and was planned, Unix seconds. */
export interface Moment {
  readonly genesisTime: number;
  readonly now: number;
}

/** The text of `spec.yaml` in a devnet's folder: JSON, which is YAML too. */
export function keptText(spec: Spec, moment: Moment): string {
  return `${JSON.stringify(specDocument(pinSpec(spec, moment)), null, 2)}\n`;
}

/** The spec of a network that exists: what was relative to the moment of planning is said by the clock, so that planning again changes nothing. */
function pinSpec(spec: Spec, moment: Moment): Spec {
  const pin = (time: ForkTime): ForkTime =>
    time.kind === 'now' ? { kind: 'at', time: Math.floor(moment.now) + time.seconds } : time;
  const chains = Object.entries(spec.chains).map(([name, chain]): [string, ChainSpec] => [
    name,
    {
      ...chain,
      forks: { ...chain.forks, times: mapTimes(chain.forks.times, pin) },
      nodes: Object.fromEntries(
        Object.entries(chain.nodes).map(([node, value]) => [
          node,
          { ...value, override: mapTimes(value.override, pin) },
        ]),
      ),
    },
  ]);
  return { ...spec, time: { genesis: moment.genesisTime }, chains: Object.fromEntries(chains) };
}

function mapTimes<T extends object>(times: T, change: (time: ForkTime) => ForkTime): T {
  return Object.fromEntries(Object.entries(times).map(([fork, time]) => [fork, change(time as ForkTime)])) as T;
}
