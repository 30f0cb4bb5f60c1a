/** Rewritten folders inside a folder that is still pending below. */
export const REWRITTEN: readonly string[] = [
  'test/bench',
  'test/contracts',
  'test/e2e',
  'test/nodes',
  'test/soak',
  'test/vectors',
];

/** Folders and pages written before the rules; each leaves the list when it is rewritten. The longest path that fits comes first. */
export const PENDING: readonly string[] = [
  'src/orchestrator/probe',
  'src/orchestrator/run',
  'src/orchestrator/spec',
  'src/orchestrator/template',
  'test/orchestrator/probe',
  'test/orchestrator/run',
  'test/orchestrator/spec',
  'src/build',
  'test/system',
  'test',
];
