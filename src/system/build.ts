declare const __BUILD__: string | undefined;

/** What this build of the package was made of: two that differ in it may read the same text differently. undefined: run from its sources. */
export const BUILD: string | undefined = typeof __BUILD__ === 'string' ? __BUILD__ : undefined;
