import type { ForcedCode } from '../execution/create2-deployer.ts';
import type { Rules } from '../rules/rules.ts';

/** All rules that a fork can replace. */
export type ForkRules = Omit<Rules, 'fork'>;

/** One fork: data, and the rules that it replaces. All other lists of forks are made from these. */
export interface Fork<Name extends string = string> {
  readonly name: Name;
  /** Name of the fork before it in the chain of forks; null for the first one and for optional forks. */
  readonly follows: string | null;
  /** The spelling in documents and upgrade intents. */
  readonly label: string;
  /** true: not in the chain of forks; a chain may never activate it. */
  readonly optional: boolean;
  /** Option that moves the fork on a rollup node; null if there is none. */
  readonly override: string | null;
  /** Key of the activation time in rollup.json; null if the file has none. */
  readonly rollupKey: `${string}_time` | null;
  /** Key of the activation time in genesis.json's `config`; null for a fork that the execution engine does not know. */
  readonly genesisKey: string | null;
  /** Key in genesis.json's `config` of the Ethereum fork that activates with it. */
  readonly ethereumKey: string | null;
  /** The rules in force from the activation on. */
  readonly rules: Partial<ForkRules>;
  /** The rules in force before the activation on chains that have scheduled it. */
  readonly rulesUntil: Partial<ForkRules>;
  /** Its activation block carries upgrade transactions, which stand in a bundle. */
  readonly upgrade: UpgradeRules | null;
  /** Rules of the activation block itself. */
  readonly activation: ActivationRules;
}

/** Rules of a fork's upgrade transactions. */
export interface UpgradeRules {
  /** Source hashes are of `<label> <index>: <intent>` instead of the intent alone. */
  readonly qualifiedIntents: boolean;
  /** The gas of the upgrade transactions is added to the activation block's gas limit. */
  readonly addsGas: boolean;
  /** Key of rollup.json by which a chain keeps that gas in its limit. Absent: no chain does. */
  readonly keepGasKey?: KeepGasKey;
}

/** Key of a chain that activated a fork while clients left the gas in the limit (op-node: `KeepKarstUpgradeGas`). */
export type KeepGasKey = `keep_${string}_upgrade_gas`;

/** Rules of a fork's activation block. */
export interface ActivationRules {
  /** The sequencer takes no transactions from the pool. */
  readonly noTxPool: boolean;
  /** A batch of the activation block with transactions is dropped. */
  readonly emptyBatch: boolean;
  /** Code set at the start of the block whose timestamp equals the activation time. */
  readonly forcedCode: ForcedCode | null;
}

/** A fork as its file states it. Fields that are left out get the default of the name. */
export interface ForkDefinition<Name extends string, Own extends Partial<ForkRules>> {
  readonly name: Name;
  readonly follows: string | null;
  readonly label?: string;
  readonly optional?: boolean;
  readonly override?: string | null;
  readonly rollupKey?: `${string}_time` | null;
  readonly genesisKey?: string | null;
  readonly ethereumKey?: string;
  readonly rules: Own;
  readonly rulesUntil?: Partial<ForkRules>;
  readonly upgrade?: UpgradeRules;
  readonly activation?: Partial<ActivationRules>;
}

/** Completes a fork's definition: forms keys and option from the name, and leaves the rest absent. */
export function defineFork<const Name extends string, Own extends Partial<ForkRules>>(
  definition: ForkDefinition<Name, Own>,
): Fork<Name> & { readonly rules: Own } {
  const { name } = definition;
  return {
    label: name.charAt(0).toUpperCase() + name.slice(1),
    optional: false,
    override: `override.${name}`,
    rollupKey: `${name}_time`,
    genesisKey: `${name}Time`,
    ethereumKey: null,
    rulesUntil: {},
    upgrade: null,
    ...definition,
    activation: { noTxPool: false, emptyBatch: false, forcedCode: null, ...definition.activation },
  };
}
