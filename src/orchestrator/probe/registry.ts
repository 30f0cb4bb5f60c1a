// `make build` writes this file from the folder kinds.
export { exit } from './kinds/exit.ts';
export { height } from './kinds/height.ts';
export { http } from './kinds/http.ts';
export { log } from './kinds/log.ts';
export { peers } from './kinds/peers.ts';
export { rpc } from './kinds/rpc.ts';
export { tcp } from './kinds/tcp.ts';
