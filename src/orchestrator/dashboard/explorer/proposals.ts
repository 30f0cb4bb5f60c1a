import { ask } from '../../inspect/layer.ts';
import type { ChainView, Plan } from '../../plan/plan.ts';
import { clientFor } from '../../probe/call.ts';
import { logPlace, logsOnL1, type PlacedLog, topicOf } from './bridge-logs.ts';

const OUTPUT_PROPOSED = topicOf('OutputProposed(bytes32,uint256,uint256,uint256)');
const GAME_CREATED = topicOf('DisputeGameCreated(address,uint32,bytes32)');
/** Games whose block is read: the newest. */
const MAX_GAMES = 100;

/** An output on L1. `covers`: the L2 block of the output. */
export interface Proposal {
  readonly transaction: string;
  readonly block: number;
  readonly covers: number;
}

/** Returns the first output or dispute game on L1 that covers an L2 block. */
export async function proposalOf(plan: Plan, chain: ChainView, block: number): Promise<Proposal | undefined> {
  const [outputs, games] = await Promise.all([
    logsOnL1(plan, chain, 'L2OutputOracle', [OUTPUT_PROPOSED]),
    logsOnL1(plan, chain, 'DisputeGameFactory', [GAME_CREATED]),
  ]);
  const proposals = [
    ...outputs.map(logPlace).map((each) => proposal(each, Number(each.log.topics[3]))),
    ...(await gameProposals(plan, games.slice(-MAX_GAMES).map(logPlace))),
  ];
  return proposals.find(({ covers }) => covers >= block);
}

async function gameProposals(plan: Plan, games: readonly PlacedLog[]): Promise<readonly Proposal[]> {
  if (games.length === 0) return [];
  const answers = await clientFor(plan.network.l1.rpc).batch<string>(
    games.map(({ log }) => {
      const call = { to: `0x${(log.topics[1] ?? '').slice(-40)}`, data: selectorOf('l2BlockNumber()') };
      return { method: 'eth_call', params: [call, 'latest'] };
    }),
    { timeoutMs: 10_000 },
  );
  return games.flatMap((game, at) => {
    const answer = answers[at];
    return answer?.ok === true ? [proposal(game, Number(answer.result))] : [];
  });
}

const proposal = ({ transaction, block }: PlacedLog, covers: number): Proposal => ({ transaction, block, covers });

/** Returns the time (s) that must pass between a proof and the finalization. Undefined: no contract tells it. */
export async function maturityOf(plan: Plan, { contracts }: ChainView): Promise<number | undefined> {
  const { L2OutputOracle: oracle, OptimismPortal: portal } = contracts.l1;
  const [to, getter] =
    oracle === undefined ? [portal, 'proofMaturityDelaySeconds()'] : [oracle, 'FINALIZATION_PERIOD_SECONDS()'];
  if (to === undefined) return undefined;
  const call = { to, data: selectorOf(getter) };
  const answer = await ask<string>({ url: plan.network.l1.rpc }, 'eth_call', call, 'latest').catch(() => '0x');
  return answer === '0x' ? undefined : Number(answer);
}

const selectorOf = (signature: string): string => topicOf(signature).slice(0, 10);
