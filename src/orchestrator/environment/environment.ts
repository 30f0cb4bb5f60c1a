import { singleQuote } from '../../system/program/shell-quote.ts';
import { chainEndpoints, endpointsOf } from '../plan/chain/endpoints.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { viemChains } from './viem-chains.ts';

/** Lists the environment variables for other programs, in reading order. */
export function environmentOf(plan: Plan): Record<string, string> {
  const { l1, chains } = plan.network;
  const env: Record<string, string> = {
    DEVNET_NAME: plan.devnet,
    DEVNET_L1_RPC_URL: l1.rpc,
    DEVNET_L1_WS_URL: l1.ws,
    DEVNET_L1_BEACON_URL: l1.beacon,
    DEVNET_L1_CHAIN_ID: String(l1.chainId),
  };
  const addresses = (prefix: string, contracts: Readonly<Record<string, string>>) => {
    for (const [name, address] of Object.entries(contracts)) env[`${prefix}_${upper(name)}_ADDRESS`] = address;
  };
  addresses('DEVNET_L1', l1.contracts);
  chains.forEach((chain, at) => {
    const endpoints = chainEndpoints(chain);
    const set = (prefix: string) => {
      if (endpoints) {
        env[`${prefix}_RPC_URL`] = endpoints.http;
        env[`${prefix}_WS_URL`] = endpoints.ws;
        env[`${prefix}_ROLLUP_RPC_URL`] = endpoints.rollup;
      }
      env[`${prefix}_CHAIN_ID`] = String(chain.chainId);
    };
    if (at === 0) set('DEVNET_L2');
    set(`L2_${chain.chainId}`);
    env[`L2_${chain.chainId}_GENESIS_FILE`] = chain.genesisFile;
    env[`L2_${chain.chainId}_ROLLUP_FILE`] = chain.rollupFile;
    for (const node of chain.nodes) env[`L2_${chain.chainId}_${upper(node.name)}_RPC_URL`] = node.el.http;
    addresses(`L2_${chain.chainId}_L1`, chain.contracts.l1);
    addresses(`L2_${chain.chainId}`, chain.contracts.l2);
    if (at === 0)
      chain.accounts
        .filter(({ role }) => role === undefined)
        .forEach(({ address, privateKey }, index) => {
          env[`DEVNET_ACCOUNT_${index}`] = address;
          env[`DEVNET_PRIVATE_KEY_${index}`] = privateKey ?? '';
        });
  });
  return env;
}

type Format = (plan: Plan, env: Readonly<Record<string, string>>) => string;

const lines = (env: Readonly<Record<string, string>>, line: (key: string, value: string) => string) =>
  `${Object.entries(env)
    .map(([key, value]) => line(key, value))
    .join('\n')}\n`;

/** Formatters of the variables by name. */
export const FORMATS: Readonly<Record<string, Format>> = {
  shell: (_, env) => lines(env, (key, value) => `export ${key}=${singleQuote(value)}`),
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

function endpoints(plan: Plan): { key: string; url: string; chainId: number; rollup: boolean }[] {
  const { l1, chains } = plan.network;
  return [
    { key: 'l1', url: l1.rpc, chainId: l1.chainId, rollup: false },
    ...chains.flatMap((chain) => [
      ...(chain.conductor?.rpc === undefined ? [] : [rollupAt(identifier(chain.name), endpointsOf(chain).http, chain)]),
      ...chain.nodes.map((node) => rollupAt(keyOf(chain, node), node.el.http, chain)),
    ]),
  ];
}

function rollupAt(key: string, url: string, { chainId }: ChainView) {
  return { key, url, chainId, rollup: true };
}

/** The sequencer has the name of its chain, if no conductor does. */
function keyOf({ name, conductor }: ChainView, node: NodeView): string {
  const isAlone = node.role === 'sequencer' && conductor?.rpc === undefined;
  return identifier(isAlone ? name : `${name}-${node.name}`);
}

/** Writes a module that exports one viem chain per layer. */
function viem(plan: Plan): string {
  const { l1, rollups } = viemChains(plan);
  return [
    "import { defineChain } from 'viem';",
    "import { chainConfig } from 'viem/op-stack';",
    '',
    `export const l1 = defineChain(${JSON.stringify(l1, null, 2)});`,
    ...Object.entries(rollups).map(
      ([name, chain]) =>
        `export const ${identifier(name)} = defineChain({ ...chainConfig, ...${JSON.stringify(chain, null, 2)} });`,
    ),
    '',
  ].join('\n');
}

function keys(plan: Plan): string[] {
  return (plan.network.chains[0]?.accounts ?? [])
    .filter(({ role }) => role === undefined)
    .flatMap(({ privateKey }) => privateKey ?? []);
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
