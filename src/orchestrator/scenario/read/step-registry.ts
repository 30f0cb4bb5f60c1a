// `make build` writes this file from the folder steps.
export { batcher } from '../steps/batcher.ts';
export { call } from '../steps/call.ts';
export { deploy } from '../steps/deploy.ts';
export { deposit } from '../steps/deposit.ts';
export { exec } from '../steps/exec.ts';
export { expect } from '../steps/expect.ts';
export { fork } from '../steps/fork.ts';
export { fund } from '../steps/fund.ts';
export { load } from '../steps/load.ts';
export { node } from '../steps/node.ts';
export { parallel } from '../steps/parallel.ts';
export { pause } from '../steps/pause.ts';
export { repeat } from '../steps/repeat.ts';
export { send } from '../steps/send.ts';
export { wait } from '../steps/wait.ts';
export { warp } from '../steps/warp.ts';
export { withdraw } from '../steps/withdraw.ts';
