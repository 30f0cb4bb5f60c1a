import { encodeBatcherTransaction, type Frame } from '../../../../src/protocol/codec/frame.ts';
import { CHALLENGE_STATUS_TOPIC } from '../../../../src/protocol/derivation/alt-da/challenge-log.ts';
import { createAltDaInputs } from '../../../../src/protocol/derivation/alt-da/inputs.ts';
import {
  commitmentTransaction,
  type DaCommitment,
  decodeCommitment,
  keccakCommitment,
} from '../../../../src/protocol/derivation/da-commitment.ts';
import type { AltDaInputs, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex, L1Transaction, Log } from '../../../../src/protocol/types.ts';
import { calldataTransaction, type ScriptedL1 } from './l1.ts';
import { hashOf, testRollup } from './rollup.ts';

export const CHALLENGES: Hex = `0x${'da'.repeat(20)}`;
/** L1 blocks. */
export const CHALLENGE_WINDOW = 4;
export const RESOLVE_WINDOW = 3;

/** A rollup whose data is on a DA server. */
export function daRollup(kind: DaCommitment['kind'] = 'keccak'): Rollup {
  return testRollup('jovian', {
    config: {
      alt_da: {
        da_commitment_type: kind === 'keccak' ? 'KeccakCommitment' : 'GenericCommitment',
        ...(kind === 'keccak' && { da_challenge_contract_address: CHALLENGES }),
        da_challenge_window: CHALLENGE_WINDOW,
        da_resolve_window: RESOLVE_WINDOW,
      },
    },
  });
}

/** A DA server in memory. */
export interface ScriptedDa {
  /** Keeps frames as one input; returns its commitment. */
  keep(frames: readonly Frame[], commitment?: DaCommitment): DaCommitment;
  /** Loses the data of a commitment; returns it. */
  lose(commitment: DaCommitment): Uint8Array;
  give(commitment: DaCommitment, data: Uint8Array): void;
  inputs(l1: ScriptedL1): AltDaInputs;
}

export function scriptedDa(rollup: Rollup): ScriptedDa {
  const store = new Map<Hex, Uint8Array>();
  return {
    keep(frames, commitment) {
      const data = encodeBatcherTransaction(frames);
      const key = commitment ?? keccakCommitment(data);
      store.set(key.encoded, data);
      return key;
    },
    lose({ encoded }) {
      const data = store.get(encoded)!;
      store.delete(encoded);
      return data;
    },
    give: ({ encoded }, data) => void store.set(encoded, data),
    inputs: (l1) =>
      createAltDaInputs(rollup, rollup.config.alt_da!, l1, async ({ encoded }) => store.get(encoded) ?? null),
  };
}

/** A generic commitment of some bytes. */
export const generic = (name: string): DaCommitment => decodeCommitment(Uint8Array.from([1, ...Buffer.from(name)]));
/** The batcher's transaction with a commitment. */
export const commitmentTransactionOf = (commitment: DaCommitment): L1Transaction =>
  calldataTransaction(commitmentTransaction(commitment));

const word = (value: number) => value.toString(16).padStart(64, '0');
const abiBytes = (data: Uint8Array) =>
  word(data.length) +
  bytesToHex(data)
    .slice(2)
    .padEnd(Math.ceil(data.length / 32) * 64, '0');

/** The challenge contract's log; `status`: 1 active, 2 resolved. */
export function challengeLog(
  commitment: DaCommitment,
  blockNumber: number,
  status: number,
  transactionHash?: Hex,
): Omit<Log, 'logIndex'> {
  const { encoded } = commitment;
  return {
    address: CHALLENGES,
    topics: [CHALLENGE_STATUS_TOPIC, `0x${word(blockNumber)}`],
    data: `0x${word(64)}${word(status)}${abiBytes(hexToBytes(encoded))}`,
    ...(transactionHash && { transactionHash }),
  };
}

/** A call of the challenge contract's `resolve`. */
export function resolveTransaction(commitment: DaCommitment, blockNumber: number, data: Uint8Array): L1Transaction {
  const first = abiBytes(hexToBytes(commitment.encoded));
  const args = `${word(blockNumber)}${word(96)}${word(96 + first.length / 2)}${first}${abiBytes(data)}`;
  const hash = hashOf(`resolve ${blockNumber}`);
  return { hash, type: 2, from: `0x${'01'.repeat(20)}`, to: CHALLENGES, input: `0x${'5e'.repeat(4)}${args}` };
}
