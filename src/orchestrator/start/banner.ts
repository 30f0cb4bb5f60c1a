import type { Plan } from '../plan/plan.ts';

/** Formats what a user needs first: addresses, chain ids, accounts and the warning about their keys. */
export function banner(plan: Plan, seconds: number | undefined): string {
  const { l1, chains } = plan.network;
  const rows: [string, string][] = [
    ['L1', `${l1.rpc}  chain ${l1.chainId}  beacon ${l1.beacon}`],
    ...chains.flatMap((chain) =>
      chain.nodes.map(({ name, role, el, cl }): [string, string] => [
        `${chain.name}/${name}`,
        `${el.http}  chain ${chain.chainId}  ${el.client} + ${cl.client}${role === 'sequencer' ? ' (sequencer)' : ''}`,
      ]),
    ),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const accounts = chains[0]?.accounts.filter(({ role }) => role === undefined) ?? [];
  const [first] = accounts;
  return [
    `${plan.devnet} is ready${seconds === undefined ? '' : ` after ${seconds.toFixed(2)} s`}`,
    ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
    ...(plan.dashboard === undefined ? [] : [`  dashboard  ${plan.dashboard.url}`]),
    ...(first
      ? [
          `  ${accounts.length} funded accounts, the first ${first.address}; ` +
            '`devnet accounts` lists them with their keys',
          '  WARNING: these keys are public. Never send real funds to them.',
        ]
      : []),
    '  `eval "$(devnet env)"` exports all addresses; `devnet status` shows the heads',
    '',
  ].join('\n');
}
