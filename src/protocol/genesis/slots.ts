import { concat, u256be } from '../bytes.ts';
import { keccak256, keccak256Text } from '../hash.ts';
import { hexToBytes } from '../hex.ts';
import type { Hex, SystemConfig } from '../types.ts';
import { addressSlots, batchInboxAddress } from './addresses.ts';
import type { GenesisContracts, SlotValues } from './contracts.ts';
import type { ChainGenesisInputs, WithdrawalConstants } from './inputs.ts';
import { word } from './template.ts';

/** Gas that deposits of one L2 block may buy, if the block gas limit allows it. */
const MAX_DEPOSIT_GAS = 20_000_000;
/** Gas of the L1-attributes transaction that deposits must leave free. */
const SYSTEM_TX_GAS = 1_000_000;
/** Elasticity of the deposit market: its limit is a multiple of it. */
const DEPOSIT_ELASTICITY = 10;

const PERMIT2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/** Returns a chain's values for the slots of `contracts.json`. @throws GenesisError if one does not fit its slot */
export function slotValues(inputs: ChainGenesisInputs, contracts: GenesisContracts): SlotValues {
  const { systemConfig, roles } = inputs;
  return {
    ...addressSlots(inputs.chainId, contracts),
    owner: word(roles.owner, 20),
    proposer: word(roles.proposer, 20),
    challenger: word(roles.challenger, 20),
    unsafeBlockSigner: word(roles.unsafeBlockSigner, 20),
    feeVaultRecipient: word(roles.owner, 20),
    batchInbox: word(batchInboxAddress(inputs.chainId), 20),
    chainId: word(inputs.chainId, 32),
    permit2DomainSeparator: word(permit2DomainSeparator(inputs.chainId), 32),
    ...l1SlotValues(inputs.l1ChainId),
    ...withdrawalSlots(inputs.withdrawals),
    l2BlockTime: word(inputs.blockTime, 32),
    startingTimestamp: word(inputs.genesisTime, 32),
    maxResourceLimit: word(maxResourceLimit(systemConfig.gasLimit), 4),
    ...systemConfigSlots(systemConfig),
  };
}

function withdrawalSlots(withdrawals: WithdrawalConstants): SlotValues {
  return {
    submissionInterval: word(withdrawals.submissionInterval, 32),
    finalizationPeriodSeconds: word(withdrawals.finalizationPeriod, 32),
    proofMaturityDelaySeconds: word(withdrawals.finalizationPeriod, 32),
    disputeGameFinalityDelaySeconds: word(withdrawals.gameFinality, 32),
    // Both sides of a game together; an unchallenged one ends after half of it.
    gameDuration: word(withdrawals.gameClock * 2, 32),
    startingRoot: word(withdrawals.startingRoot, 32),
  };
}

/** Returns the values of slots that all chains of an L1 share. */
export function l1SlotValues(l1ChainId: number): SlotValues {
  return {
    l1ChainId: word(l1ChainId, 32),
    l1Permit2DomainSeparator: word(permit2DomainSeparator(l1ChainId), 32),
  };
}

function systemConfigSlots(config: SystemConfig): SlotValues {
  const scalar = word(config.scalar, 32);
  // A scalar of encoding version 1 holds both ecotone scalars; one of version 0 the first alone.
  const blobScalar = scalar.startsWith('01') ? scalar.slice(48, 56) : '00000000';
  const eip1559 = word(config.eip1559Params, 8);
  const operatorFee = word(config.operatorFeeParams, 32);
  return {
    batcherHash: word(config.batcherAddr, 32),
    overhead: word(config.overhead, 32),
    scalar,
    basefeeScalar: scalar.slice(56),
    blobbasefeeScalar: blobScalar,
    gasLimit: word(config.gasLimit, 8),
    eip1559Denominator: eip1559.slice(0, 8),
    eip1559Elasticity: eip1559.slice(8),
    operatorFeeScalar: operatorFee.slice(40, 48),
    operatorFeeConstant: operatorFee.slice(48),
    minBaseFee: word(config.minBaseFee, 8),
    daFootprintGasScalar: word(config.daFootprintGasScalar, 2),
  };
}

function maxResourceLimit(gasLimit: number): number {
  const room = Math.max(0, Math.min(MAX_DEPOSIT_GAS, gasLimit - SYSTEM_TX_GAS));
  return room - (room % DEPOSIT_ELASTICITY);
}

/** Computes the EIP-712 domain separator that Permit2 caches for its chain. */
function permit2DomainSeparator(chainId: number): Hex {
  const type = keccak256Text('EIP712Domain(string name,uint256 chainId,address verifyingContract)');
  return keccak256(concat(type, keccak256Text('Permit2'), u256be(chainId), new Uint8Array(12), hexToBytes(PERMIT2)));
}
