import type { L1AttributesCodec, Rules } from '../rules/rules.ts';
import type { Seconds } from '../types.ts';
import type { Fork, ForkRules } from './fork.ts';
import { inOrder } from './order.ts';

/** Activation times by fork, Unix seconds. A fork without a time is never active; the first fork always is. */
export type Schedule<Name extends string> = { readonly [name in Name]?: number };

/** Functions over a list of forks (op-node: `rollup.Config`, kona: `RollupConfig`). */
export interface Forks<Name extends string> {
  /** In order of activation, optional forks last. */
  readonly list: readonly Fork<Name>[];
  /** Returns the fork of a name, undefined for an unknown name. */
  find(name: string): Fork<Name> | undefined;
  /**
   * Tells whether the fork is active at a time (op-node: `IsCanyon` and so on).
   * It is for lists. Behaviour takes {@link Forks.rulesAt}.
   */
  isActive(schedule: Schedule<Name>, name: Name, time: Seconds): boolean;
  /** Returns the rules in force at a time. Equal sets of active forks yield the same object. */
  rulesAt(schedule: Schedule<Name>, time: Seconds): Rules;
  /**
   * Returns the forks that activate in the block at `time`: active at `time`, not yet at `time - blockTime`.
   * Counterparts: `IsActivationBlockForFork` (op-node), `is_first_canyon_block` and so on (kona).
   */
  activatesAt(schedule: Schedule<Name>, time: number, blockTime: number): Fork<Name>[];
  /**
   * Returns the L1 attributes codec of the block at `time`.
   * An activation block still makes the call of its parent's rules, because L1Block is upgraded after it (op-node:
   * `isEcotoneButNotFirstBlock`, `isIsthmusButNotFirstBlock`, `isJovianButNotFirstBlock`).
   */
  l1AttributesAt(schedule: Schedule<Name>, time: number, blockTime: number): L1AttributesCodec;
  /**
   * Returns the forks that contradict the order: set while an earlier one is not, or set before it.
   * Empty for a sound schedule. Counterparts: `checkFork` (op-node), `CheckConfigForkOrder` (geth).
   */
  orderProblems(schedule: Schedule<Name>): { readonly fork: Name; readonly before: Name }[];
}

/**
 * Creates the fork functions over injected forks: the first one, which brings every rule, and the others in any order.
 * @throws ProtocolError schedule-invalid if the forks form no chain, see {@link inOrder}
 */
export function createForks<Name extends string>(
  base: Fork<Name> & { readonly rules: ForkRules },
  others: readonly Fork<Name>[],
): Forks<Name> {
  const list = inOrder(base, others);
  const later = list.slice(1);
  const byName = new Map<string, Fork<Name>>(list.map((fork) => [fork.name, fork]));
  const cache = new Map<string, Rules>();
  const activeAt = (schedule: Schedule<Name>, name: Name, time: Seconds) => {
    const from = schedule[name];
    return name === base.name || (from !== undefined && from <= time);
  };

  const rulesAt = (schedule: Schedule<Name>, time: Seconds): Rules => {
    let key = '';
    for (const fork of later)
      key += activeAt(schedule, fork.name, time) ? '1' : schedule[fork.name] === undefined ? '0' : '2';
    const entry = cache.get(key);
    if (entry !== undefined) return entry;
    const scheduled = later.filter(({ name }) => schedule[name] !== undefined);
    const active = later.filter((fork) => activeAt(schedule, fork.name, time));
    const rules = Object.freeze(
      Object.assign(
        { ...base.rules, fork: active.findLast(({ optional }) => !optional)?.name ?? base.name },
        ...scheduled.map((fork) => (active.includes(fork) ? fork.rules : fork.rulesUntil)),
      ) as Rules,
    );
    cache.set(key, rules);
    return rules;
  };

  return {
    list,
    find: (name) => byName.get(name),
    isActive: activeAt,
    rulesAt,
    activatesAt: (schedule, time, blockTime) =>
      later.filter((fork) => activeAt(schedule, fork.name, time) && !activeAt(schedule, fork.name, time - blockTime)),
    l1AttributesAt(schedule, time, blockTime) {
      const { gas, isSystemTransaction } = rulesAt(schedule, time).l1Attributes;
      return { ...rulesAt(schedule, time - blockTime).l1Attributes, gas, isSystemTransaction };
    },
    orderProblems(schedule) {
      const chain = later.filter(({ optional }) => !optional);
      return chain.flatMap((fork, index) => {
        const before = chain[index - 1];
        const time = schedule[fork.name];
        if (before === undefined || time === undefined) return [];
        const earlier = schedule[before.name];
        return earlier === undefined || earlier > time ? [{ fork: fork.name, before: before.name }] : [];
      });
    },
  };
}
