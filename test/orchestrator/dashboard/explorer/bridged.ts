import {
  encodeAbiParameters,
  encodeEventTopics,
  encodePacked,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  toFunctionSelector,
} from 'viem';
import type { L2Layer } from '../../../../src/orchestrator/inspect/inspector.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { answeringNode } from '../rpc-answers.ts';

const EVENTS = parseAbi([
  [
    'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, ',
    'uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
  ].join(''),
  'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
  'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
  'event OutputProposed(bytes32 indexed, uint256 indexed, uint256 indexed, uint256)',
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
  'event FailedRelayedMessage(bytes32 indexed msgHash)',
  'event RelayedMessage(bytes32 indexed msgHash)',
]);
export const PASSER = '0x4200000000000000000000000000000000000016';
export const PORTAL: Hex = `0x${'90'.repeat(20)}`;
export const MESSENGERS = [`0x${'92'.repeat(20)}`, '0x4200000000000000000000000000000000000007'] as const;
const ORACLE: Hex = `0x${'91'.repeat(20)}`;
export const ALICE: Hex = `0x${'a1'.repeat(20)}`;
export const word = (value: number): Hex => pad(numberToHex(value), { size: 32 });

const [PASSED, PROVEN, FINALIZED, PROPOSED, DEPOSITED, FAILED, RELAYED] = EVENTS.map(
  ({ name }) => encodeEventTopics({ abi: EVENTS, eventName: name })[0]!,
);

function passedLog(id: number) {
  const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes32' }] as const;
  const data = encodeAbiParameters(types, [parseEther('1'), 100_000n, '0x', word(id)]);
  return { topics: [PASSED, word(id), pad(ALICE), pad(ALICE)], data };
}
const proven = (id: number) => ({ topics: [PROVEN, word(id), pad(ALICE), pad(ALICE)], data: '0x' });
const finalized = (id: number, success: 0 | 1) => ({ topics: [FINALIZED, word(id)], data: word(success) });

/** Four withdrawals: initiated, proven, finalized, and finalized with a call that failed. */
const LOGS = [...[1, 2, 3, 4].map(passedLog), ...[2, 3, 4].map(proven), ...[finalized(3, 1), finalized(4, 0)]].map(
  (log, index) => ({
    ...log,
    address: log.topics[0] === PASSED ? PASSER : PORTAL,
    ...{ blockHash: word(7), blockNumber: '0x7', transactionHash: word(100 + index), logIndex: numberToHex(index) },
  }),
);

/** An output of L2 block 7, in the transaction 200. */
const OUTPUT = {
  ...{ topics: [PROPOSED, word(0), word(0), word(7)], data: word(0), address: ORACLE, blockHash: word(9) },
  ...{ blockNumber: '0x9', transactionHash: word(200), logIndex: '0x0' },
};
/** A deposit of 2 ether to Alice, of which 1 is minted. */
const DEPOSIT = {
  topics: [DEPOSITED, pad(ALICE), pad(ALICE), word(0)],
  data: encodeAbiParameters(
    [{ type: 'bytes' }],
    [
      encodePacked(
        ['uint256', 'uint256', 'uint64', 'bool', 'bytes'],
        [parseEther('1'), parseEther('2'), 50_000n, false, '0x12345678'],
      ),
    ],
  ),
  ...{ address: PORTAL, blockHash: word(3), blockNumber: '0x3', transactionHash: word(300), logIndex: '0x0' },
};

/** The log of a message that a messenger has tried to relay, in a transaction of this hash. */
export const messageLog = (
  layer: 'l1' | 'l2',
  result: 'failed' | 'relayed',
  message: number,
  transactionHash: string,
) => ({
  ...{
    topics: [result === 'failed' ? FAILED : RELAYED, word(message)],
    data: '0x',
    address: MESSENGERS[layer === 'l1' ? 0 : 1],
  },
  ...{ blockHash: word(7), blockNumber: '0x7', transactionHash, logIndex: '0x20' },
});

/** Answers as L1 and L2 at once. The time of a block is ten times its number. */
function answer(method: string, [first]: readonly unknown[], messages: readonly Message[]): unknown {
  if (method === 'eth_blockNumber') return '0x8';
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'safe' ? 8 : Number(first);
    return { number: numberToHex(number), timestamp: numberToHex(10 * number) };
  }
  if (method === 'eth_call')
    return (first as { data: Hex }).data === toFunctionSelector('FINALIZATION_PERIOD_SECONDS()') ? word(12) : '0x';
  if (method === 'eth_getTransactionReceipt') {
    const log = LOGS.find(({ transactionHash }) => transactionHash === first);
    // The deposit is executed in L2 block 5, whatever its hash.
    return { transactionHash: first, status: '0x1', blockNumber: log?.blockNumber ?? '0x5' };
  }
  const { topics, address } = first as { readonly topics: readonly [readonly string[]]; readonly address: string };
  const ofMessengers = messages.filter((log) => log.address === address);
  return [...LOGS, OUTPUT, DEPOSIT, ...ofMessengers].filter((log) => topics[0].includes(log.topics[0]!));
}

type Message = ReturnType<typeof messageLog>;

/** A chain with an output oracle. Both layers answer at one address. */
export async function bridgedNetwork() {
  /** The contract of each request for logs. */
  const searches: string[] = [];
  const messages: Message[] = [];
  const node = await answeringNode((method, params) => {
    if (method === 'eth_getLogs') searches.push((params[0] as { readonly address: string }).address);
    return answer(method, params, messages);
  });
  const l1 = { OptimismPortal: PORTAL, L2OutputOracle: ORACLE, L1CrossDomainMessenger: MESSENGERS[0] };
  const chain = { name: 'main', contracts: { l1 } };
  const plan = { network: { l1: { rpc: node.url } } } as unknown as Plan;
  const layer = { kind: 'l2', url: node.url, label: 'main/sequencer', chain } as unknown as L2Layer;
  return { node, plan, layer, searches, messages };
}
