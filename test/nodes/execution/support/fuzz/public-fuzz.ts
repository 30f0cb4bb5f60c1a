import { FLAVOURS } from '../../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../../src/nodes/execution/flavours/interface/flavour.ts';
import { sampleChain } from '../sample-chain.ts';
import { attack, type OnProgress, type Report } from './campaign.ts';
import { type Connection, overHttp, overWebSocket } from './connection.ts';
import { importAll, launchTarget } from './fuzz.ts';
import { PublicCases, validCalls } from './public-cases.ts';
import { isAnswered, judgePublic } from './public-verdict.ts';
import { Random } from './random.ts';

export type PublicPort = 'http' | 'websocket';

/**
 * Attacks a public port of a real process that serves every namespace of its flavour.
 * `onProgress` is called at each hundredth of the run.
 */
export async function fuzzPublic(
  flavour: FlavourName,
  port: PublicPort,
  seed: number,
  count: number,
  onProgress: OnProgress = () => {},
): Promise<Report> {
  const chain = await sampleChain();
  const calls = await validCalls(chain);
  const payloads = [...chain.blocks];
  await chain[Symbol.asyncDispose]();
  const api = FLAVOURS[flavour].namespaces.join(',');
  await using target = await launchTarget(
    flavour,
    '--http',
    '--http.port=0',
    `--http.api=${api}`,
    '--ws',
    '--ws.port=0',
    `--ws.api=${api}`,
  );
  await importAll(target.ports.engine, payloads, { makeCanonical: true });
  const connect = (): Connection =>
    port === 'http' ? overHttp(target.ports.http) : overWebSocket(target.ports.websocket, isAnswered);
  const params = [payloads.at(-1)!.hash, true];
  const valid = JSON.stringify({ jsonrpc: '2.0', id: 'next', method: 'eth_getBlockByHash', params });
  const first = connect();
  const { text: right } = await first.send(valid, '');
  first.close();
  const cases = new PublicCases(new Random(seed), calls);
  const campaign = {
    program: target.program,
    connect,
    next: () => cases.next(),
    judge: async (...judged: Parameters<typeof judgePublic>) => {
      const outcome = judgePublic(...judged);
      // The chain was rewound. Without its blocks most calls would find nothing.
      if (judged[0].method === 'debug_setHead')
        await importAll(target.ports.engine, payloads.slice(-1), { makeCanonical: true });
      return outcome;
    },
    valid: () => ({ body: valid, token: '' }),
    isValid: ({ text }: { text: string }) => text === right,
  };
  return await attack(campaign, count, onProgress);
}
