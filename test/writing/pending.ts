/** Rewritten folders inside a folder that is still pending below. */
export const REWRITTEN: readonly string[] = [
  'test/bench',
  'test/contracts',
  'test/e2e',
  'test/launch',
  'test/nodes',
  'test/orchestrator/run',
  'test/soak',
  'test/system',
  'test/vectors',
];

/** Folders and pages written before the rules; each leaves the list when it is rewritten. The longest path that fits comes first. */
export const PENDING: readonly string[] = [
  'src/orchestrator/probe',
  'src/orchestrator/spec',
  'src/orchestrator/template',
  'test/orchestrator/probe',
  'test/orchestrator/spec',
  'test',
];
