import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';
import { isSecond } from '../../../system/numbers/bounds.ts';
import type { Value } from './gauge.ts';
import type { BlockRef, HeadRef } from './head-window.ts';

/** Contents of one answer: values of heads and counters by the ids of their gauges. */
export interface Reading {
  readonly values: Readonly<Record<string, Value>>;
  /** Wei on L1 of the accounts that pay for transactions, by task. */
  readonly balances?: Readonly<Record<string, bigint>>;
  /** Values that decide whether a node's finalized head can move. */
  readonly finality?: FinalityReading;
  /** Of an execution client: its head, and the blocks that the comparison asked for. */
  readonly chain?: { readonly head: HeadRef; readonly blocks: readonly BlockRef[] };
}

export interface FinalityReading {
  readonly gauge: string;
  /** Numbers of L1 blocks: derived up to, final. */
  readonly derived: number;
  readonly finalL1: number;
  readonly safe: number;
  readonly finalized: number;
}

/** Reads the answer of `optimism_syncStatus`. Fields that a client leaves out are not watched. */
export function readSyncStatus(task: string, answer: unknown): Reading {
  const [unsafe, safe, finalized, derived, finalL1] = (
    ['unsafe_l2', 'safe_l2', 'finalized_l2', 'current_l1', 'finalized_l1'] as const
  ).map((key) => readRef(jsonField(answer, key)));
  const values = {
    unsafe,
    origin: readRef(jsonField(jsonField(answer, 'unsafe_l2'), 'l1origin')),
    derivation: derived,
    safe: safe && unsafe && safe.number >= unsafe.number ? { ...safe, isHeld: true } : safe,
    finalized,
  };
  return {
    values: Object.fromEntries(
      Object.entries(values).flatMap(([head, value]) => (value === undefined ? [] : [[`${task} ${head}`, value]])),
    ),
    ...(safe && finalized && derived && finalL1
      ? {
          finality: {
            gauge: `${task} finalized`,
            derived: derived.number,
            finalL1: finalL1.number,
            safe: safe.number,
            finalized: finalized.number,
          },
        }
      : {}),
  };
}

/** Reads a block as the `eth` namespace tells it. */
export function readBlock(gauge: string, answer: unknown): Reading {
  const { number, hash, timestamp } = isJsonObject(answer) ? answer : {};
  const value = readRef({
    number: Number(number),
    hash,
    ...(timestamp === undefined ? {} : { timestamp: Number(timestamp) }),
  });
  return { values: value === undefined ? {} : { [gauge]: value } };
}

/** Reads a counter in decimal or hexadecimal text. */
export function readNumber(gauge: string, answer: unknown): Reading {
  const number = typeof answer === 'string' && answer !== '' ? Number(answer) : Number.NaN;
  return { values: Number.isSafeInteger(number) ? { [gauge]: { number } } : {} };
}

function readRef(ref: unknown): Value | undefined {
  const { number, hash, timestamp } = isJsonObject(ref) ? ref : {};
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
  return {
    number,
    ...(typeof hash === 'string' ? { hash } : {}),
    ...(isSecond(timestamp) ? { time: timestamp } : {}),
  };
}

/** Reads a head of an execution client and more blocks of it. Numbers that the client lacks are left out. */
export function readChain(task: string, [latest, ...others]: readonly unknown[]): Reading {
  const reading = readBlock(`${task} head`, latest);
  const ref = blockRefOf(latest);
  if (ref === undefined) return reading;
  const { parentHash, timestamp } = isJsonObject(latest) ? latest : {};
  const parent = typeof parentHash === 'string' ? { parentHash: parentHash.toLowerCase() } : {};
  const blocks = others.flatMap((block) => blockRefOf(block) ?? []);
  return { ...reading, chain: { head: { ...ref, ...parent, time: secondOf(timestamp) }, blocks } };
}

function blockRefOf(block: unknown): BlockRef | undefined {
  const { number, hash } = isJsonObject(block) ? block : {};
  if (typeof number !== 'string' || typeof hash !== 'string' || !Number.isSafeInteger(Number(number))) return undefined;
  return { number: Number(number), hash: hash.toLowerCase() };
}

/** Reads a block's time in decimal or hexadecimal text. 0 if no date can hold it. */
function secondOf(timestamp: unknown): number {
  const second = Number(timestamp ?? 0);
  return isSecond(second) ? second : 0;
}
