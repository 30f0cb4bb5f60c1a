import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openExchange, undoExchange } from '../../../src/orchestrator/folder/exchange.ts';
import { type Paths, pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { exists } from '../../../src/system/files/folder.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

const CLOCK = { at: 5_000, wall: 9_000, rate: 0 };

describe('an exchange of files and folders', () => {
  let paths: Paths;
  let chain: string;
  let added: string;
  beforeEach(() => {
    const temporary = temporaryHome();
    paths = pathsOf(temporary.home, 'net');
    chain = join(paths.folder, 'nodes/el/chain');
    added = join(paths.folder, 'nodes/new');
    write(chain, 'old chain');
    write(paths.spec, 'old spec');
    return () => temporary[Symbol.dispose]();
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  function staged() {
    const exchange = openExchange(paths, CLOCK);
    exchange.stage(dirname(chain));
    write(exchange.stage(chain), 'new chain');
    write(exchange.stage(paths.spec), 'new spec');
    write(join(exchange.stage(added), 'file'), 'new file');
    exchange.seal();
    return exchange;
  }

  const now = () => ({
    chain: readFileSync(chain, 'utf8'),
    spec: readFileSync(paths.spec, 'utf8'),
    added: exists(added),
    rest: exists(join(paths.folder, 'exchange')),
  });
  const OLD = { chain: 'old chain', spec: 'old spec', added: false, rest: false };
  const NEW = { chain: 'new chain', spec: 'new spec', added: true, rest: false };

  it('replaces all together', () => {
    const exchange = staged();
    expect(now()).toEqual({ ...OLD, rest: true });
    exchange.swap();
    expect(now()).toEqual({ ...NEW, rest: true });
    exchange.commit();
    expect(now()).toEqual(NEW);
  });

  it('replaces nothing when it is undone before or after the swap', () => {
    staged().undo();
    expect(now()).toEqual(OLD);
    const exchange = staged();
    exchange.swap();
    exchange.undo();
    expect(now()).toEqual(OLD);
  });

  it('replaces nothing when new content is missing', () => {
    const exchange = staged();
    exchange.stage(join(paths.folder, 'absent'));
    exchange.seal();
    expect(() => exchange.swap()).toThrow(/ENOENT/);
    expect(now()).toEqual(OLD);
  });

  it('is undone by the next start when the supervisor was killed before, in or after the swap', () => {
    staged();
    expect(undoExchange(paths)).toEqual(CLOCK);
    expect(now()).toEqual(OLD);
    staged().swap();
    expect(undoExchange(paths)).toEqual(CLOCK);
    expect(now()).toEqual(OLD);
    staged().swap();
    // The kill came when the first folder was in place and the second was not.
    renameSync(added, join(paths.folder, 'exchange/new/nodes/new'));
    renameSync(join(paths.folder, 'exchange/old/spec.yaml'), paths.spec);
    expect(undoExchange(paths)).toEqual(CLOCK);
    expect(now()).toEqual(OLD);
  });

  it('stays when the supervisor was killed after the commit', () => {
    const exchange = staged();
    exchange.swap();
    exchange.commit();
    expect(undoExchange(paths)).toBeUndefined();
    expect(now()).toEqual(NEW);
  });
});
