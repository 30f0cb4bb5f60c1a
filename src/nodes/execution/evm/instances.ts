import { EvmInstance } from '../../../evm/machine/instance.ts';
import { builtFile } from '../../../system/program/entry.ts';

/** Instances that wait for a transaction. More are dropped when their transaction ends. */
const MAX_FREE = 4;
/** Slots and accounts that an instance may have held, above which it is dropped: its memory does not shrink. */
const MAX_BYTES = 32 * 1024 * 1024;

const free: EvmInstance[] = [];
let compiled: WebAssembly.Module | undefined;

/** Replaces the compiled loop, so that tests can plant an error in it. undefined: that of the build. */
export function useLoop(module: WebAssembly.Module | undefined): void {
  compiled = module;
  free.length = 0;
}

/** Makes an instance ready, so that the first transaction does not wait for it. */
export function prepareLoop(): void {
  releaseInstance(acquireInstance());
}

/** Takes an instance of our EVM, which runs one transaction at a time. `release` gives it back. */
export function acquireInstance(): EvmInstance {
  compiled ??= new WebAssembly.Module(builtFile('evm', 'evm.wasm'));
  return free.pop() ?? new EvmInstance(compiled);
}

export function releaseInstance(instance: EvmInstance): void {
  if (free.length < MAX_FREE && instance.usedBytes() <= MAX_BYTES) free.push(instance);
}
