import type { Plan } from '../plan/plan.ts';

/** The variables that other programs are given, in the order in which people read them. */
export function environmentOf(plan: Plan): Record<string, string> {
  const { l1, chains } = plan.network;
  const env: Record<string, string> = {
    DEVNET_NAME: plan.devnet,
    DEVNET_L1_RPC_URL: l1.rpc,
    DEVNET_L1_WS_URL: l1.ws,
    DEVNET_L1_BEACON_URL: l1.beacon,
    DEVNET_L1_CHAIN_ID: String(l1.chainId),
  };
  chains.forEach((chain, at) => {
    const sequencer = chain.nodes.find(({ role }) => role === 'sequencer') ?? chain.nodes[0];
    const set = (prefix: string) => {
      if (sequencer) {
        env[`${prefix}_RPC_URL`] = sequencer.el.http;
        env[`${prefix}_WS_URL`] = sequencer.el.ws;
        env[`${prefix}_ROLLUP_RPC_URL`] = sequencer.cl.rpc;
      }
      env[`${prefix}_CHAIN_ID`] = String(chain.chainId);
    };
    if (at === 0) set('DEVNET_L2');
    set(`L2_${chain.chainId}`);
    env[`L2_${chain.chainId}_GENESIS_FILE`] = chain.genesisFile;
    env[`L2_${chain.chainId}_ROLLUP_FILE`] = chain.rollupFile;
    for (const node of chain.nodes) env[`L2_${chain.chainId}_${upper(node.name)}_RPC_URL`] = node.el.http;
    for (const [name, address] of Object.entries(chain.contracts.l1))
      env[`L2_${chain.chainId}_L1_${upper(name)}_ADDRESS`] = address;
    if (at === 0)
      chain.accounts
        .filter(({ role }) => role === undefined)
        .forEach(({ address, privateKey }, index) => {
          env[`DEVNET_ACCOUNT_${index}`] = address;
          env[`DEVNET_PRIVATE_KEY_${index}`] = privateKey;
        });
  });
  return env;
}

type Format = (plan: Plan, env: Readonly<Record<string, string>>) => string;

const lines = (env: Readonly<Record<string, string>>, line: (key: string, value: string) => string) =>
  `${Object.entries(env)
    .map(([key, value]) => line(key, value))
    .join('\n')}\n`;

/** How the variables can be written. */
export const FORMATS: Readonly<Record<string, Format>> = {
  shell: (_, env) => lines(env, (key, value) => `export ${key}='${value.replaceAll("'", `'\\''`)}'`),
  dotenv: (_, env) => lines(env, (key, value) => `${key}=${JSON.stringify(value)}`),
  json: (_, env) => `${JSON.stringify(env, null, 2)}\n`,
  github: (_, env) => lines(env, (key, value) => `${key}=${value}`),
  viem: (plan) => viem(plan),
  foundry: (plan) =>
    `[rpc_endpoints]\n${endpoints(plan)
      .map(({ key, url }) => `${key} = ${JSON.stringify(url)}\n`)
      .join('')}`,
  hardhat: (plan) =>
    `export const networks = ${JSON.stringify(
      Object.fromEntries(
        endpoints(plan).map(({ key, url, chainId, rollup }) => [
          key,
          { type: 'http', chainType: rollup ? 'op' : 'l1', chainId, url, accounts: keys(plan) },
        ]),
      ),
      null,
      2,
    )};\n`,
};

/** The variables in a format; undefined where there is no such format. */
export function formatEnvironment(
  format: string,
  plan: Plan,
  env: Readonly<Record<string, string>>,
): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(plan, env) : undefined;
}

function endpoints(plan: Plan): { key: string; url: string; chainId: number; rollup: boolean }[] {
  const { l1, chains } = plan.network;
  return [
    { key: 'l1', url: l1.rpc, chainId: l1.chainId, rollup: false },
    ...chains.flatMap((chain) =>
      chain.nodes.map((node) => ({
        key: node.role === 'sequencer' ? identifier(chain.name) : identifier(`${chain.name}-${node.name}`),
        url: node.el.http,
        chainId: chain.chainId,
        rollup: true,
      })),
    ),
  ];
}

function viem(plan: Plan): string {
  const { l1, chains } = plan.network;
  const currency = "nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 }";
  return [
    "import { defineChain } from 'viem';",
    "import { chainConfig } from 'viem/op-stack';",
    '',
    `export const l1 = defineChain({ id: ${l1.chainId}, name: ${JSON.stringify(`${plan.devnet} L1`)}, ${currency}, rpcUrls: { default: { http: [${JSON.stringify(l1.rpc)}], webSocket: [${JSON.stringify(l1.ws)}] } } });`,
    ...chains.map((chain) => {
      const sequencer = chain.nodes.find(({ role }) => role === 'sequencer') ?? chain.nodes[0];
      const contracts = Object.entries(VIEM_CONTRACTS).flatMap(([key, pattern]) => {
        const address = Object.entries(chain.contracts.l1).find(([name]) => pattern.test(name))?.[1];
        return address === undefined ? [] : [`${key}: { [l1.id]: { address: ${JSON.stringify(address)} } }`];
      });
      return `export const ${identifier(chain.name)} = defineChain({ ...chainConfig, id: ${chain.chainId}, name: ${JSON.stringify(`${plan.devnet} ${chain.name}`)}, ${currency}, sourceId: l1.id, rpcUrls: { default: { http: [${JSON.stringify(sequencer?.el.http)}], webSocket: [${JSON.stringify(sequencer?.el.ws)}] } }, contracts: { ...chainConfig.contracts, ${contracts.join(', ')} } });`;
    }),
    '',
  ].join('\n');
}

/** Contracts as viem's op-stack actions call them, by our names. */
const VIEM_CONTRACTS: Readonly<Record<string, RegExp>> = {
  portal: /^OptimismPortal(Proxy)?$/i,
  l2OutputOracle: /^L2OutputOracle(Proxy)?$/i,
  l1StandardBridge: /^L1StandardBridge(Proxy)?$/i,
};

function keys(plan: Plan): string[] {
  return (plan.network.chains[0]?.accounts ?? [])
    .filter(({ role }) => role === undefined)
    .map(({ privateKey }) => privateKey);
}

function upper(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

function identifier(name: string): string {
  const word = name.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
  return /^\d/.test(word) ? `chain${word}` : word;
}
