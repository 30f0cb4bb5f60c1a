/**
 * Environment of a process whose output a test reads. A hook of the machine's `NODE_OPTIONS` may print to that output.
 * Below npm (`npm test`, `npx vitest`) and make, their variables change the command that our messages name. All are
 * unset.
 * The programs that are tested keep the whole environment if no test reads their output.
 */
export const quietEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries({ ...process.env, NODE_OPTIONS: '' }).filter(([name]) => !/^(npm_|MAKE)/i.test(name)),
);
