/** Rewritten folders inside a folder that is still pending below. */
export const REWRITTEN: readonly string[] = [];

/** Folders and pages written before the rules; each leaves the list when it is rewritten. The longest path that fits comes first. */
export const PENDING: readonly string[] = [];
