export type { ChangedNode } from '../orchestrator/change/change-node.ts';
export type { L1Reorg, L1Stall } from '../orchestrator/change/l1.ts';
export type { Moved } from '../orchestrator/change/move-forks.ts';
export type { MovedSequencer } from '../orchestrator/change/nodes/move-sequencer.ts';
export type { SkewedClock } from '../orchestrator/change/skew-clock.ts';
export type { WarpResult } from '../orchestrator/clock/warp.ts';
export type {
  ExplainedDivergence as Divergence,
  ExplainedResult as CheckResult,
} from '../orchestrator/devnet/check-devnet.ts';
export type { ScenarioResult } from '../orchestrator/scenario/result.ts';
export type { StepResult } from '../orchestrator/scenario/step.ts';
export type { FailureReport } from '../orchestrator/state/failure-report.ts';
export type { FaultDocument, GivenFault, Partition, Shaping } from '../orchestrator/state/faults.ts';
export type { NetworkEvent } from '../orchestrator/state/network-event-type.ts';
export type { Problem } from '../orchestrator/state/problem.ts';
export type { Heads } from '../orchestrator/status/heads.ts';
export type { Status } from '../orchestrator/status/status.ts';
export type { LoadKind } from '../orchestrator/traffic/load/kinds.ts';
export type { LoadResult } from '../orchestrator/traffic/load/load.ts';
export type * from './network/chain-types.ts';
export type * from './network/devnet-types.ts';
export {
  DevnetError,
  NameTakenError,
  PrerequisiteError,
  SnapshotError,
  SpecError,
  type SpecProblem,
  StartError,
  TimeoutError,
  UnsupportedError,
  UsageError,
} from './network/errors.ts';
export type { Faults } from './network/faults.ts';
export type { HostOptions } from './network/host.ts';
export type * from './network/traffic-types.ts';
export {
  type AttachOptions,
  type AttachPlace,
  attach,
  type ConnectOptions,
  connect,
  type SpecDocument,
  type StartBudgets,
  type StartOptions,
  startDevnet,
} from './start.ts';
