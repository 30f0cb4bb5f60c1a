import { readRollupConfig } from '../../protocol/genesis/file/rollup-file.ts';
import { quantity } from '../../protocol/hex.ts';
import type { Hex, RollupConfig } from '../../protocol/types.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { clientFor } from '../probe/call.ts';
import type { AttachedChain, AttachFile } from './schema.ts';

/** Timeout (ms) of one call to a network that may be far away. */
const CALL_TIMEOUT_MS = 10_000;

/** What L1 says of itself. */
export interface L1Facts {
  readonly chainId: number;
  readonly genesisHash: Hex;
  /** Seconds between its two newest blocks. */
  readonly blockTime: number;
}

/** What the nodes of a chain say. */
export interface ChainFacts {
  readonly config: RollupConfig;
  readonly genesisHash: Hex;
  /** What the two programs of each node call themselves. */
  readonly versions: Readonly<Record<string, { readonly el: string; readonly cl: string }>>;
}

/** The answers of a network that runs elsewhere. */
export interface Survey {
  readonly l1: L1Facts;
  readonly chains: Readonly<Record<string, ChainFacts>>;
}

interface RpcBlock {
  readonly hash: Hex;
  readonly number: Hex;
  readonly timestamp: Hex;
}

/**
 * Asks every address of a file what it serves.
 * @throws Failure `attach`: no answer (exit 3), or the address serves another chain than the others say (exit 1)
 */
export async function survey({ l1, chains }: AttachFile): Promise<Survey> {
  const l1Facts = await surveyL1(l1);
  const entries = Object.entries(chains).map(
    async ([name, chain]) => [name, await surveyChain(name, chain, l1.rpc, l1Facts)] as const,
  );
  return { l1: l1Facts, chains: Object.fromEntries(await Promise.all(entries)) };
}

async function surveyL1({ rpc, chainId }: AttachFile['l1']): Promise<L1Facts> {
  const [id, genesis, head] = await Promise.all([
    ask<Hex>(rpc, 'L1', 'eth_chainId'),
    ask<RpcBlock>(rpc, 'L1', 'eth_getBlockByNumber', '0x0', false),
    ask<RpcBlock>(rpc, 'L1', 'eth_getBlockByNumber', 'latest', false),
  ]);
  if (chainId !== undefined) expectValue('L1', rpc, 'chain id', Number(id), chainId, 'the file');
  const before = Number(head.number) === 0 ? undefined : quantity(Number(head.number) - 1);
  const parent = before === undefined ? head : await ask<RpcBlock>(rpc, 'L1', 'eth_getBlockByNumber', before, false);
  const blockTime = Math.max(1, Number(head.timestamp) - Number(parent.timestamp));
  return { chainId: Number(id), genesisHash: genesis.hash, blockTime };
}

async function surveyChain(name: string, chain: AttachedChain, l1Rpc: string, l1: L1Facts): Promise<ChainFacts> {
  const nodes = Object.entries(chain.nodes);
  const answers = await Promise.all(
    nodes.map(async ([node, { el, cl }]) => {
      const subject = `${name}/${node}`;
      const [id, block, elVersion, config, clVersion] = await Promise.all([
        ask<Hex>(el.http, `${subject}/el`, 'eth_chainId'),
        ask<RpcBlock>(el.http, `${subject}/el`, 'eth_getBlockByNumber', '0x0', false),
        ask<string>(el.http, `${subject}/el`, 'web3_clientVersion'),
        ask<unknown>(cl.rpc, `${subject}/cl`, 'optimism_rollupConfig'),
        ask<string>(cl.rpc, `${subject}/cl`, 'optimism_version'),
      ]);
      return {
        node,
        el: el.http,
        cl: cl.rpc,
        id: Number(id),
        genesis: block.hash,
        version: { el: elVersion, cl: clVersion },
        config: configOf(subject, cl.rpc, config),
      };
    }),
  );
  const [first] = answers;
  if (first === undefined) throw new Failure('attach', `chain ${name} has no node`, { exit: EXIT.usage });
  const chainId = chain.chainId ?? first.config.l2_chain_id;
  const genesisHash = chain.genesisHash ?? first.config.genesis.l2.hash;
  const source = (value: unknown) => (value === undefined ? `the rollup config of ${first.node}` : 'the file');
  for (const { node, el, cl, id, genesis, config } of answers) {
    const subject = `${name}/${node}`;
    expectValue(`${subject}/el`, el, 'chain id', id, chainId, source(chain.chainId));
    expectValue(`${subject}/el`, el, 'hash of block 0', genesis, genesisHash, source(chain.genesisHash));
    expectValue(`${subject}/cl`, cl, 'chain id', config.l2_chain_id, chainId, source(chain.chainId));
    expectValue(`${subject}/cl`, cl, 'hash of block 0', config.genesis.l2.hash, genesisHash, source(chain.genesisHash));
    expectValue(`${subject}/cl`, cl, 'chain id of L1', config.l1_chain_id, l1.chainId, 'L1');
    const { hash, number } = config.genesis.l1;
    const block = await ask<RpcBlock>(l1Rpc, 'L1', 'eth_getBlockByNumber', quantity(number), false);
    expectValue(`${subject}/cl`, cl, `hash of L1 block ${number}`, hash, block.hash, `L1 at ${l1Rpc}`);
  }
  const versions = Object.fromEntries(answers.map(({ node, version }) => [node, version]));
  return { config: first.config, genesisHash, versions };
}

function configOf(subject: string, url: string, answer: unknown): RollupConfig {
  const config = readRollupConfig(answer);
  if (config.ok) return config.value;
  throw new Failure('attach', `${subject}/cl at ${url}: optimism_rollupConfig: ${config.problems[0]}`, {
    exit: EXIT.failed,
    hint: 'check that the address is that of a rollup node',
  });
}

/** @throws Failure `attach` if an address serves something else than the rest of the network */
function expectValue(
  subject: string,
  url: string,
  what: string,
  value: string | number,
  expected: string | number,
  source: string,
): void {
  if (value === expected) return;
  throw new Failure('attach', `${subject} at ${url} has the ${what} ${value}, and ${source} says ${expected}`, {
    exit: EXIT.failed,
    data: { subject, url, value, expected },
    hint: 'correct the address in the file; nothing was attached',
  });
}

async function ask<T>(url: string, subject: string, method: string, ...params: readonly unknown[]): Promise<T> {
  let answer: T | null;
  try {
    answer = await clientFor(url).call<T | null>(method, params, { timeoutMs: CALL_TIMEOUT_MS });
  } catch (error) {
    throw new Failure('attach', `${subject} does not answer ${method} at ${url}: ${messageOf(error)}`, {
      exit: EXIT.notReady,
      data: { subject, url, method },
      hint: 'check the address and that the process runs; nothing was attached',
      cause: error,
    });
  }
  if (answer !== null) return answer;
  throw new Failure('attach', `${subject} at ${url} has no answer to ${method} ${JSON.stringify(params)}`, {
    exit: EXIT.failed,
  });
}
