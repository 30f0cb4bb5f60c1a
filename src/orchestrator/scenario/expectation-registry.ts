// `make build` writes this file from the folder expect.
export { agree } from './expect/agree.ts';
export { balance } from './expect/balance.ts';
export { call } from './expect/call.ts';
export { diverge } from './expect/diverge.ts';
export { game } from './expect/game.ts';
export { head } from './expect/head.ts';
export { log } from './expect/log.ts';
export { metric } from './expect/metric.ts';
export { receipt } from './expect/receipt.ts';
