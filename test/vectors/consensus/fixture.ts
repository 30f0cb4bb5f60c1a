import { ETHEREUM_FORKS } from '../../../src/protocol/forks/ethereum.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { NotApplicable } from '../outcome.ts';

type Json = Readonly<Record<string, unknown>>;

/** Keys of both formats of a consensus test: network, first block and hash of the last. */
interface Fixture {
  readonly network: string;
  readonly genesisBlockHeader: Readonly<Record<string, Hex>>;
  readonly pre: Readonly<Record<string, Json>>;
  readonly lastblockhash: Hex;
  readonly config?: {
    readonly chainid?: Hex;
    readonly blobSchedule?: Readonly<Record<string, { readonly target: Hex; readonly max: Hex }>>;
  };
}

/** Blocks to import. `expectException`: the block is invalid. */
export interface BlockFixture extends Fixture {
  readonly blocks: readonly { readonly rlp: Hex; readonly expectException?: string }[];
}

/** Payloads for the Engine API. `validationError`: the payload is invalid. */
export interface PayloadFixture extends Fixture {
  readonly engineNewPayloads: readonly {
    readonly params: readonly Json[];
    readonly newPayloadVersion: string;
    readonly forkchoiceUpdatedVersion: string;
    readonly validationError?: string;
    readonly errorCode?: string;
  }[];
}

const FORKS = ['Paris', 'Shanghai', 'Cancun', 'Prague', 'Osaka'];
const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa';
/** Header fields of the fixtures, with their names in a genesis file. */
const FIELDS: Readonly<Record<string, string>> = {
  parentHash: 'parentHash',
  coinbase: 'coinbase',
  nonce: 'nonce',
  timestamp: 'timestamp',
  gasLimit: 'gasLimit',
  gasUsed: 'gasUsed',
  extraData: 'extraData',
  mixHash: 'mixHash',
  baseFeePerGas: 'baseFeePerGas',
  difficulty: 'difficulty',
  number: 'number',
  blobGasUsed: 'blobGasUsed',
  excessBlobGas: 'excessBlobGas',
  parentBeaconBlockRoot: 'parentBeaconBlockRoot',
};

/** Returns the genesis file of a test. @throws NotApplicable if this program does not run its chain */
export function genesisOf({ network, genesisBlockHeader, pre, config }: Fixture): string {
  const header = Object.entries(FIELDS).flatMap(([theirs, ours]) =>
    genesisBlockHeader[theirs] === undefined ? [] : [[ours, genesisBlockHeader[theirs]]],
  );
  checkBlobSchedule(network, config?.blobSchedule);
  const times = timesOf(network);
  if (times['pragueTime'] === 0 && genesisBlockHeader['requestsHash'] === undefined)
    throw new NotApplicable('prague of a draft, without requestsHash');
  return JSON.stringify({
    config: {
      chainId: Number(config?.chainid ?? 1),
      terminalTotalDifficulty: 0,
      depositContractAddress: DEPOSIT_CONTRACT,
      ...times,
    },
    ...Object.fromEntries(header),
    alloc: pre,
  });
}

/** Returns the fork times of a network's name: `Cancun`, or `CancunToPragueAtTime15k`. */
function timesOf(name: string): Record<string, number> {
  const [, from = '', to, at] = /^(\w+?)(?:To(\w+?)At(?:Time)?(\w+))?$/.exec(name === 'Merge' ? 'Paris' : name)!;
  const last = to ?? from;
  if (!FORKS.includes(last))
    throw new NotApplicable(/^(BPO|Amsterdam|Bogota|Verkle|EOF)/.test(last) ? `fork ${last}` : 'before the merge');
  if (!FORKS.includes(from)) throw new NotApplicable('before the merge');
  return Object.fromEntries(
    FORKS.slice(1, FORKS.indexOf(last) + 1).map((fork) => [
      `${fork.toLowerCase()}Time`,
      FORKS.indexOf(fork) <= FORKS.indexOf(from) ? 0 : Number(at!.replace(/k$/, '000')),
    ]),
  );
}

function checkBlobSchedule(network: string, schedule: NonNullable<Fixture['config']>['blobSchedule'] = {}): void {
  for (const [fork, { target, max }] of Object.entries(schedule)) {
    const ours = ETHEREUM_FORKS.find(({ name }) => name === fork.toLowerCase())?.rules.ethereum?.blobs;
    if (!ours || !network.includes(fork)) continue;
    if (ours.target !== Number(target) || ours.max !== Number(max))
      throw new NotApplicable('a blob schedule of its own');
  }
}
