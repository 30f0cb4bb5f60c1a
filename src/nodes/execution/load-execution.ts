/** The module of everything that runs the EVM. The first call loads it. */
export function loadExecution(): Promise<typeof import('./execution.ts')> {
  return import('./execution.ts');
}
