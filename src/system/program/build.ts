declare const __BUILD__: string | undefined;

/**
 * Identifies the inputs of this build of the package. Undefined if the sources run unbuilt.
 * Two builds that differ in it may read the same text differently.
 */
export const BUILD: string | undefined = typeof __BUILD__ === 'string' ? __BUILD__ : undefined;
