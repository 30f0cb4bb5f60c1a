/** Lists the shared libraries of this process, the loader among them. None on a system without glibc. */
export function sharedLibraries(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const report: {
    readonly header?: { readonly glibcVersionRuntime?: string };
    readonly sharedObjects?: readonly string[];
  } = process.report.getReport();
  if (report.header?.glibcVersionRuntime === undefined) return [];
  // Native addons of this process lie elsewhere.
  return (report.sharedObjects ?? []).filter((path) => /^\/(usr\/)?lib/.test(path)).toSorted();
}
