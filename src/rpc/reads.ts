/** Methods that change neither a chain nor a filter, of execution clients, anvil and rollup nodes. */
const READS = [
  /^(net|web3|trace|ots)_|^debug_(trace|get)|^eth_(get(?!Filter)|call|estimate|simulate|createAccessList$)/,
  /^eth_(chainId|blockNumber|syncing|accounts|gasPrice|blobBaseFee|maxPriorityFeePerGas|feeHistory)$/,
  /^(optimism|consensus)_|^(opp2p|peernet)_(self|peers|peerStats|discoveryTable|listBlocked)/,
];

/** Engine API methods. The specification lets a consensus client send them again. */
const ENGINE = /^engine_/;

export const isRead = (method: string): boolean => READS.some((pattern) => pattern.test(method));

/** Whether a second execution of a request has no further effect. */
export const isIdempotent = (method: string): boolean => isRead(method) || ENGINE.test(method);
