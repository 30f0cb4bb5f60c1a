import type { ChannelRules } from '../../rules/rules.ts';
import type { DerivationLog, Rollup } from '../ports.ts';
import { createChannelAssembler } from './channel-assembler.ts';
import { type ChannelStage, createChannelBank, type FrameProvider } from './channel-bank.ts';
import type { HasOrigin } from './stage.ts';

const STAGES = { bank: createChannelBank, assembler: createChannelAssembler } as const;

/** Stage 4, of the kind that the rules at the L1 origin select (op-node: `ChannelMux`, kona: `ChannelProvider`). */
export interface ChannelProvider extends ChannelStage, HasOrigin {
  reset(): void;
}

/**
 * Swaps the whole channel stage when the origin crosses an activation, in either direction.
 * The data that the old stage had buffered is discarded.
 */
export function createChannelProvider(rollup: Rollup, below: FrameProvider, log?: DerivationLog): ChannelProvider {
  let current: { kind: ChannelRules['stages']; stage: ChannelStage } | null = null;

  const stage = (): ChannelStage => {
    const kind = rollup.rulesAt(below.origin().timestamp).channels.stages;
    if (current?.kind !== kind) current = { kind, stage: STAGES[kind](rollup, below, log) };
    return current.stage;
  };

  return {
    origin: () => below.origin(),
    nextChannel: () => stage().nextChannel(),
    flush: () => stage().flush(),
    reset() {
      current = null;
    },
  };
}
