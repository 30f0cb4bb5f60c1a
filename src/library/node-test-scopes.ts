import { type TestScope, testScope } from './network/test-scope.ts';

/** The facts of a test's context that hooks of node:test have. */
interface Context {
  readonly fullName?: string;
}

interface Running {
  readonly scope: TestScope;
  /** Names of the tests that share it. */
  readonly names: string[];
}

/** Opens and ends the scopes of tests of node:test. */
export interface NodeTestScopes {
  /** The scope of the test that runs; undefined outside of tests. */
  current(): TestScope | undefined;
  begin(context: object): void;
  /** Ends what the test began. */
  end(context: object): Promise<void>;
}

/**
 * Follows the hooks of node:test. A test within another one has a scope of its own. Tests at the same time share one,
 * which ends with the last of them, because no call tells which of them it belongs to.
 */
export function nodeTestScopes(): NodeTestScopes {
  const running: Running[] = [];
  const nameOf = (context: Context) => context.fullName ?? '';
  return {
    current: () => running.at(-1)?.scope,
    begin(context) {
      const name = nameOf(context);
      const last = running.at(-1);
      if (last !== undefined && !last.names.some((outer) => name.startsWith(`${outer} > `))) last.names.push(name);
      else running.push({ scope: testScope(), names: [name] });
    },
    async end(context) {
      const name = nameOf(context);
      const index = running.findLastIndex(({ names }) => names.includes(name));
      const entry = running[index];
      if (entry === undefined) return;
      entry.names.splice(entry.names.indexOf(name), 1);
      if (entry.names.length > 0) return;
      running.splice(index, 1);
      await entry.scope.end();
    },
  };
}
