import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EvmInstance } from '../../../src/evm/machine/instance.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'dist', 'evm', 'evm.wasm');
let instance: EvmInstance | undefined;
let compiled: WebAssembly.Module | undefined;

/** Returns the module that `make build` has written. */
export function evmModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(path));
  return compiled;
}

/** Returns an instance that tests run their transactions in, one after another. */
export function evmInstance(): EvmInstance {
  instance ??= new EvmInstance(evmModule());
  return instance;
}
