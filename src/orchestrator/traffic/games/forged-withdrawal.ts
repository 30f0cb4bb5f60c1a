import { type Address, concatHex, encodeAbiParameters, type Hex, keccak256, parseAbi, toHex, toRlp } from 'viem';
import { writeContract } from 'viem/actions';
import { getWithdrawalHashStorageSlot } from 'viem/op-stack';
import { outputRoot } from '../../../protocol/codec/output-root.ts';
import { WITHDRAWAL_TRANSACTION, type WithdrawalTransaction } from '../finalization.ts';
import type { Wallet } from '../transaction.ts';

const PROOF = '(bytes32 version, bytes32 stateRoot, bytes32 messagePasserStorageRoot, bytes32 latestBlockhash)';
const PROVE_INPUTS = `${WITHDRAWAL_TRANSACTION} tx, uint256 game, ${PROOF} proof, bytes[] withdrawalProof` as const;
const PORTAL = parseAbi([`function proveWithdrawalTransaction(${PROVE_INPUTS})`]);

const ZERO: Hex = `0x${'00'.repeat(32)}`;
/** Version 1 of messages, and a number that no withdrawal of a devnet reaches. */
const NONCE = (1n << 240n) | (1n << 128n);
const GAS = 100_000n;

/** A withdrawal that is in no block of L2, and an output under which it has a proof. */
export interface ForgedWithdrawal {
  readonly withdrawal: WithdrawalTransaction;
  /** The false output. */
  readonly root: Hex;
  readonly outputRootProof: {
    readonly version: Hex;
    readonly stateRoot: Hex;
    readonly messagePasserStorageRoot: Hex;
    readonly latestBlockhash: Hex;
  };
  readonly withdrawalProof: readonly Hex[];
}

/**
 * Forges a withdrawal and an output under which it has a proof.
 * The storage of the message passer that the output names has one slot, that of the withdrawal. The same receiver and
 * amount give the same output.
 */
export function forgeWithdrawal(to: Address, value: bigint): ForgedWithdrawal {
  const data: Hex = '0x';
  const withdrawal = { nonce: NONCE, sender: to, target: to, value, gasLimit: GAS, data };
  const words = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes'].map((type) => ({ type }));
  const withdrawalHash = keccak256(encodeAbiParameters(words, [NONCE, to, to, value, GAS, '0x']));
  // A trie of one leaf: the path with the prefix of a leaf of even length, and the value 1 as RLP.
  const path = keccak256(getWithdrawalHashStorageSlot({ withdrawalHash }));
  const leaf = toRlp([concatHex(['0x20', path]), '0x01']);
  const messagePasserStorageRoot = keccak256(leaf);
  const stateRoot = keccak256(toHex('a state that no block of L2 has'));
  return {
    withdrawal,
    root: outputRoot(stateRoot, messagePasserStorageRoot, ZERO),
    outputRootProof: { version: ZERO, stateRoot, messagePasserStorageRoot, latestBlockhash: ZERO },
    withdrawalProof: [leaf],
  };
}

/** Proves a forged withdrawal against a game. Returns the hash of the transaction. @throws if L1 refuses it */
export function proveForged(onL1: Wallet, portal: Hex, gameIndex: number, forged: ForgedWithdrawal): Promise<Hex> {
  const { withdrawal, outputRootProof, withdrawalProof } = forged;
  return writeContract(onL1, {
    ...{ address: portal, abi: PORTAL, functionName: 'proveWithdrawalTransaction', chain: null },
    args: [withdrawal, BigInt(gameIndex), outputRootProof, withdrawalProof],
  });
}
