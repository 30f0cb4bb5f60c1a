import { option } from '../../../system/program/options.ts';

/** Options of sequencing and verification (interface, section 4.4; op-node: `NewDriverConfig`). */
export const sequencerOptions = {
  sequencerEnabled: {
    name: 'sequencer.enabled',
    env: 'SEQUENCER_ENABLED',
    help: 'sequence new L2 blocks',
    type: option.boolean,
    default: false,
  },
  sequencerL1Confs: {
    name: 'sequencer.l1-confs',
    env: 'SEQUENCER_L1_CONFS',
    help: 'L1 blocks kept between the L1 head and a new L1 origin',
    type: option.natural,
    default: 4,
  },
  sequencerMaxSafeLag: {
    name: 'sequencer.max-safe-lag',
    env: 'SEQUENCER_MAX_SAFE_LAG',
    help: 'stop sequencing this many blocks past the safe head; 0: never',
    type: option.natural,
    default: 0,
  },
  sequencerRecover: {
    name: 'sequencer.recover',
    env: 'SEQUENCER_RECOVER',
    help: 'always take the next L1 origin and make empty blocks',
    type: option.boolean,
    default: false,
  },
  sequencerStopped: {
    name: 'sequencer.stopped',
    env: 'SEQUENCER_STOPPED',
    help: 'wait for admin_startSequencer',
    type: option.boolean,
    default: false,
  },
  verifierL1Confs: {
    name: 'verifier.l1-confs',
    env: 'VERIFIER_L1_CONFS',
    help: 'L1 blocks kept between the L1 head and derivation',
    type: option.natural,
    default: 0,
  },
} as const;
