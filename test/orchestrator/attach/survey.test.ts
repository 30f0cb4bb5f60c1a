import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { attachedPlan } from '../../../src/orchestrator/attach/attached-plan.ts';
import type { AttachFile } from '../../../src/orchestrator/attach/schema.ts';
import { survey } from '../../../src/orchestrator/attach/survey.ts';
import { planSchema } from '../../../src/orchestrator/plan/plan.ts';
import { planOf } from '../plan/planned.ts';

const plan = planOf('{}');
const { l1, chains } = plan.network;
const rollup = plan.files.find(({ path }) => path === chains[0]?.rollupFile);
const CONFIG = JSON.parse(rollup?.content.kind === 'text' ? rollup.content.text : '{}');
const GENESIS = chains[0]?.genesisHash;

type Answers = Readonly<Record<string, unknown>>;

const L1: Answers = {
  eth_chainId: '0x384',
  eth_getBlockByNumber: { hash: l1.genesisHash, number: '0x0', timestamp: '0x1' },
};
const EL: Answers = {
  eth_chainId: '0x385',
  eth_getBlockByNumber: { hash: GENESIS, number: '0x0', timestamp: '0x1' },
  web3_clientVersion: 'reth/v1.9.0-abc/x86_64',
};
const CL: Answers = { optimism_rollupConfig: CONFIG, optimism_version: 'v1.16.3-abc' };

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Starts a server that answers methods with values or by functions, and returns its URL. */
async function answering(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body);
      const answer = answers[method];
      const result =
        method in answers
          ? { result: typeof answer === 'function' ? answer(...params) : answer }
          : { error: { code: -32601, message: `no ${method}` } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Servers {
  readonly l1?: Answers;
  readonly el?: Answers;
  readonly cl?: Answers;
}

/** A file of a network with a sequencer that is well, and a verifier that answers as given. */
async function fileOf(verifier: Servers, more: Partial<AttachFile['chains'][string]> = {}): Promise<AttachFile> {
  const el = { http: await answering({ ...EL, ...verifier.el }) };
  const cl = { rpc: await answering({ ...CL, ...verifier.cl }) };
  const first = { role: 'sequencer' as const, el: { http: await answering(EL) }, cl: { rpc: await answering(CL) } };
  return {
    name: 'team',
    path: '/team.yaml',
    l1: { rpc: await answering({ ...L1, ...verifier.l1 }), hardfork: 'prague' },
    chains: {
      main: { nodes: { a: first, b: { role: 'verifier', el, cl } }, joins: {}, contracts: {}, accounts: [], ...more },
    },
  };
}

describe('a survey', () => {
  it('gives what the plan of the network needs, and its plan is one that a supervisor takes', async () => {
    const file = await fileOf({});
    const attached = attachedPlan(file, await survey(file), { home: '/home/devnets', image: 'image:1' });
    expect(planSchema.safeParse(attached).success).toBe(true);
    expect(attached.tasks.map(({ id, launch }) => `${id} ${launch}`)).toEqual([
      'l1 external',
      'l1-beacon external',
      'main/a/el external',
      'main/a/cl external',
      'main/b/el external',
      'main/b/cl external',
    ]);
    const [view] = attached.network.chains;
    expect(view).toMatchObject({ chainId: 901, genesisHash: GENESIS, forks: { isthmus: 0, jovian: 0 } });
    expect(view?.contracts.l1).toMatchObject({ OptimismPortal: CONFIG.deposit_contract_address });
    // The rollup node names no program, so that it does not count as one more implementation.
    expect(view?.nodes[1]).toMatchObject({
      el: { implementation: 'reth' },
      cl: { client: 'external', implementation: 'reth' },
    });
  });

  it.each<[string, Servers, RegExp]>([
    [
      'an execution client of another chain',
      { el: { eth_chainId: '0x1' } },
      /main\/b\/el at .* has the chain id 1, and .* says 901/,
    ],
    [
      'one that lies about its genesis',
      { el: { eth_getBlockByNumber: { hash: '0xbad', number: '0x0', timestamp: '0x1' } } },
      /main\/b\/el at .* has the hash of block 0 0xbad, and the rollup config of a says 0x/,
    ],
    [
      'a rollup node of another chain',
      { cl: { optimism_rollupConfig: { ...CONFIG, l2_chain_id: 5 } } },
      /main\/b\/cl at .* has the chain id 5/,
    ],
    [
      'an L1 of the same chain id that is another one',
      { l1: { eth_getBlockByNumber: { hash: '0xbad', number: '0x0', timestamp: '0x1' } } },
      /main\/a\/cl at .* has the hash of L1 block 0 0x[0-9a-f]+, and L1 at http:.* says 0xbad/,
    ],
    ['another L1 than the nodes say', { l1: { eth_chainId: '0x9' } }, /has the chain id of L1 900, and L1 says 9/],
    [
      'an address that is no rollup node',
      { cl: { optimism_rollupConfig: 'ok' } },
      /optimism_rollupConfig: .*expected object/,
    ],
  ])('finds %s, and names address and values', async (_, servers, message) => {
    await expect(survey(await fileOf(servers))).rejects.toMatchObject({
      code: 'attach',
      exit: 1,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['the seconds between its newest blocks', 7, 12, 12],
    ['one second when its newest blocks have one time', 7, 0, 1],
    ['one second when it has block 0 alone', 0, 12, 1],
  ])('gives as the block time of L1 %s', async (_, newest, seconds, expected) => {
    const eth_getBlockByNumber = (tag: string) => {
      const number = tag === 'latest' ? newest : Number(tag);
      return {
        hash: l1.genesisHash,
        number: `0x${number.toString(16)}`,
        timestamp: `0x${(number * seconds).toString(16)}`,
      };
    };
    const file = await fileOf({ l1: { eth_getBlockByNumber } });
    expect((await survey(file)).l1.blockTime).toBe(expected);
  });

  it('finds a network that is not that of the file', async () => {
    await expect(survey(await fileOf({}, { chainId: 77 }))).rejects.toThrow(
      /has the chain id 901, and the file says 77/,
    );
    const hash = `0x${'11'.repeat(32)}` as const;
    await expect(survey(await fileOf({}, { genesisHash: hash }))).rejects.toThrow(`and the file says ${hash}`);
  });

  it('finds an address that does not answer, with what to do', async () => {
    const file = await fileOf({});
    const silent = { ...file, l1: { ...file.l1, rpc: 'http://127.0.0.1:1' } };
    await expect(survey(silent)).rejects.toMatchObject({
      exit: 3,
      message: expect.stringMatching(/^L1 does not answer eth_(chainId|getBlockByNumber) at http:\/\/127\.0\.0\.1:1: /),
      hint: expect.stringContaining('nothing was attached'),
    });
  });
});
