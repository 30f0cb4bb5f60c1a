/** The module of everything that runs the EVM. The first call loads it. */
export function loadLazyEvm(): Promise<typeof import('./lazy-evm.ts')> {
  return import('./lazy-evm.ts');
}
