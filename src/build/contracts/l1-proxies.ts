import { maxUint128, parseGwei } from 'viem';
import type { WithdrawalSystem } from '../../protocol/genesis/inputs.ts';
import { stand } from './slots.ts';

export const BEDROCK = 'bedrock-0.17.2';

/** The permissioned game's type (specification: Fault Proofs, Game Types). */
export const GAME_TYPE = 1;

/** Gas that the deposit market reserves for the L1-attributes transaction. */
const SYSTEM_TX_GAS = 1_000_000;

/** Seconds before a bond can be taken out. Games here have none, so that it holds back nothing. */
const BOND_DELAY = 1n;

const RESOURCES = {
  maxResourceLimit: Number(stand('maxResourceLimit')),
  elasticityMultiplier: 10,
  baseFeeMaxChangeDenominator: 8,
  minimumBaseFee: Number(parseGwei('1')),
  systemTxMaxGas: SYSTEM_TX_GAS,
  maximumBaseFee: maxUint128,
};

const NONE = `0x${'0'.repeat(40)}`;

/** A contract behind a proxy of its chain. Values that start with `$` are slots. */
export interface L1Proxy {
  readonly proxy: string;
  readonly of: string;
  readonly args?: readonly unknown[];
  /** Its code holds values of a chain: it stands at an address of that chain. */
  readonly isOwn?: true;
  readonly initialize: readonly unknown[];
}

const ORACLE: readonly L1Proxy[] = [
  {
    proxy: 'L2OutputOracle',
    of: `${BEDROCK}:L2OutputOracle`,
    initialize: [
      ...['$submissionInterval', '$l2BlockTime', 0n, '$startingTimestamp', '$proposer', '$challenger'],
      '$finalizationPeriodSeconds',
    ],
  },
];

const GAMES: readonly L1Proxy[] = [
  { proxy: 'DisputeGameFactory', of: `${BEDROCK}:DisputeGameFactory`, initialize: ['$owner'] },
  {
    proxy: 'AnchorStateRegistry',
    of: `${BEDROCK}:AnchorStateRegistry`,
    args: ['$l1.DisputeGameFactory'],
    isOwn: true,
    initialize: [[{ gameType: GAME_TYPE, outputRoot: { root: '$startingRoot', l2BlockNumber: 0n } }]],
  },
  {
    proxy: 'DelayedWETH',
    of: `${BEDROCK}:DelayedWETH`,
    args: [BOND_DELAY],
    initialize: ['$owner', '$l1.SuperchainConfig'],
  },
];

const PORTALS: Readonly<Record<WithdrawalSystem, L1Proxy>> = {
  'output-oracle': {
    proxy: 'OptimismPortal',
    of: `${BEDROCK}:OptimismPortal`,
    initialize: ['$l1.L2OutputOracle', '$l1.SystemConfig', '$l1.SuperchainConfig'],
  },
  'dispute-games': {
    proxy: 'OptimismPortal',
    of: `${BEDROCK}:OptimismPortal2`,
    args: ['$proofMaturityDelaySeconds', '$disputeGameFinalityDelaySeconds', GAME_TYPE],
    isOwn: true,
    initialize: ['$l1.DisputeGameFactory', '$l1.SystemConfig', '$l1.SuperchainConfig'],
  },
};

/** The proxied contracts of a chain in the order of their initialization. */
export function l1Proxies(system: WithdrawalSystem): readonly L1Proxy[] {
  const games = system === 'dispute-games';
  return [
    { proxy: 'SuperchainConfig', of: `${BEDROCK}:SuperchainConfig`, initialize: ['$owner', false] },
    { proxy: 'ProtocolVersions', of: `${BEDROCK}:ProtocolVersions`, initialize: ['$owner', 0n, 0n] },
    ...(games ? GAMES : ORACLE),
    {
      proxy: 'SystemConfig',
      of: 'own:SystemConfig',
      initialize: [
        ...['$owner', '$batcherHash', '$gasLimit', '$unsafeBlockSigner', RESOURCES, '$batchInbox', '$chainId'],
        {
          l1CrossDomainMessenger: '$l1.L1CrossDomainMessenger',
          l1ERC721Bridge: '$l1.L1ERC721Bridge',
          l1StandardBridge: '$l1.L1StandardBridge',
          l2OutputOracle: games ? NONE : '$l1.L2OutputOracle',
          disputeGameFactory: games ? '$l1.DisputeGameFactory' : NONE,
          optimismPortal: '$l1.OptimismPortal',
          optimismMintableERC20Factory: '$l1.OptimismMintableERC20Factory',
          superchainConfig: '$l1.SuperchainConfig',
        },
      ],
    },
    PORTALS[system],
    {
      proxy: 'L1CrossDomainMessenger',
      of: `${BEDROCK}:L1CrossDomainMessenger`,
      initialize: ['$l1.SuperchainConfig', '$l1.OptimismPortal'],
    },
    {
      proxy: 'L1StandardBridge',
      of: `${BEDROCK}:L1StandardBridge`,
      initialize: ['$l1.L1CrossDomainMessenger', '$l1.SuperchainConfig'],
    },
    {
      proxy: 'L1ERC721Bridge',
      of: `${BEDROCK}:L1ERC721Bridge`,
      initialize: ['$l1.L1CrossDomainMessenger', '$l1.SuperchainConfig'],
    },
    {
      proxy: 'OptimismMintableERC20Factory',
      of: `${BEDROCK}:OptimismMintableERC20Factory`,
      initialize: ['$l1.L1StandardBridge'],
    },
  ];
}
