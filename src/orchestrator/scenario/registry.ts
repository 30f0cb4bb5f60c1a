import type { StepKind } from './step.ts';
import { batcher } from './steps/batcher.ts';
import { call } from './steps/call.ts';
import { deploy } from './steps/deploy.ts';
import { deposit } from './steps/deposit.ts';
import { exec } from './steps/exec.ts';
import { expect } from './steps/expect.ts';
import { fork } from './steps/fork.ts';
import { fund } from './steps/fund.ts';
import { load } from './steps/load.ts';
import { node } from './steps/node.ts';
import { parallel } from './steps/parallel.ts';
import { pause } from './steps/pause.ts';
import { repeat } from './steps/repeat.ts';
import { send } from './steps/send.ts';
import { wait } from './steps/wait.ts';
import { warp } from './steps/warp.ts';
import { withdraw } from './steps/withdraw.ts';

/** Every kind of step, in the order of the page of all steps. */
export const STEPS: readonly StepKind[] = [
  wait,
  warp,
  pause,
  send,
  deploy,
  call,
  deposit,
  withdraw,
  load,
  fund,
  fork,
  node,
  batcher,
  exec,
  expect,
  parallel,
  repeat,
];

/** Finds a kind of step by its name. */
export function stepKind(name: string): StepKind | undefined {
  return STEPS.find((kind) => kind.name === name);
}
