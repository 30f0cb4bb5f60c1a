/**
 * Environment of a helper process whose output a test reads: a hook of the machine's `NODE_OPTIONS` may print to it.
 * The programs that are tested keep the whole environment.
 */
export const quietEnvironment: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: '' };
