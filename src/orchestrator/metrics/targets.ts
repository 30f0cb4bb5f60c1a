import type { Plan } from '../plan/plan.ts';

/** An entry of a Prometheus service discovery file, or of an answer to its HTTP service discovery. */
export interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Lists the addresses at which processes of a network serve metrics themselves. */
export function targetsOf({ devnet, tasks }: Plan): readonly TargetGroup[] {
  return tasks.flatMap(({ id, kind, client, chain, node, ports }) =>
    ports.flatMap(({ name, host, port }) =>
      name === 'metrics'
        ? [
            {
              targets: [`${host}:${port}`],
              labels: { devnet, task: id, kind, client, chain: chain ?? '', node: node ?? '' },
            },
          ]
        : [],
    ),
  );
}
