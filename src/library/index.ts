export type { Divergence } from '../orchestrator/observe/agreement.ts';
export type { CheckResult } from '../orchestrator/observe/check.ts';
export type { Heads } from '../orchestrator/observe/heads.ts';
export type { Problem } from '../orchestrator/observe/health/problem.ts';
export type { NetworkEvent } from '../orchestrator/observe/network-event-type.ts';
export type { Status } from '../orchestrator/observe/status.ts';
export type { WarpResult } from '../orchestrator/run/clock/warp.ts';
export type { FailureReport } from '../orchestrator/run/failure-report.ts';
export type { ScenarioResult, StepResult } from '../orchestrator/scenario/result.ts';
export type { LoadKind } from '../orchestrator/traffic/load/kinds.ts';
export type { LoadResult } from '../orchestrator/traffic/load/load.ts';
export type { ChangedNode } from '../orchestrator/workflow/change-node.ts';
export type { Moved } from '../orchestrator/workflow/move-forks.ts';
export type * from './chain-types.ts';
export type * from './devnet-types.ts';
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
} from './errors.ts';
export type { HostOptions } from './host.ts';
export {
  type ConnectOptions,
  connect,
  type SpecDocument,
  type StartBudgets,
  type StartOptions,
  startDevnet,
} from './start.ts';
