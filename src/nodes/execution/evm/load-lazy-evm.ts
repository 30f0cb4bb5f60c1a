/** Loads the module of everything that runs the EVM. Later calls return the same module. */
export function loadLazyEvm(): Promise<typeof import('../lazy-evm.ts')> {
  return import('../lazy-evm.ts');
}
