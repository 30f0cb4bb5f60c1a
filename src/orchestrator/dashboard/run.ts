import { extname, join } from 'node:path';
import type { RunningServer } from '../../rpc/listener.ts';
import { packageRoot } from '../../system/entry.ts';
import { Failure } from '../../system/failure.ts';
import { namesIn, readText } from '../../system/folder.ts';
import { redactor, secretsOf } from '../plan/redact.ts';
import { connectControl } from '../run/control-client.ts';
import type { Io } from '../workflow/command.ts';
import { gatherer } from '../workflow/live-view/gather.ts';
import { takeSnapshot } from '../workflow/metrics/snapshot.ts';
import { type Devnet, devnetAt, isUp, viewOf } from '../workflow/select.ts';
import { storedSnapshots } from '../workflow/snapshots/store.ts';
import { perform } from './actions.ts';
import { batchReader } from './batches.ts';
import { createFeed } from './feed.ts';
import { linksOf } from './links.ts';
import { pictures } from './picture.ts';
import { type Asset, serveDashboard } from './server.ts';
import { tokenOf } from './token.ts';
import { readView } from './views.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Serves the dashboard of a devnet. @throws Failure `port` (exit 4) */
export async function startDashboard(io: Io, devnet: Devnet, port: number | undefined): Promise<RunningServer> {
  const now = () => devnetAt(devnet.paths);
  let hide = redactor(secretsOf(viewOf(now()).plan));
  const gather = gatherer();
  const make = pictures(process.pid);
  const batches = batchReader();
  const feed = createFeed({
    async picture() {
      const current = now();
      const [snapshot, links] = await Promise.all([
        takeSnapshot(current, gather),
        isUp(current) ? linksOf(viewOf(current).plan) : undefined,
      ]);
      hide = redactor(secretsOf(snapshot.plan));
      return make(snapshot, links);
    },
    async events(receive, signal) {
      const control = await connectControl(devnet.paths.control);
      if (control === undefined) return;
      const leave = () => control.close();
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      await control.events((event) => event.event === 'network' && receive(event.network), 'watch');
      signal.removeEventListener('abort', leave);
    },
  });
  // The code that the first page needs is loaded before it is opened.
  feed.prepare();
  return serveDashboard(port, {
    token: tokenOf(devnet.paths.folder),
    assets: pageFiles(),
    feed,
    hide: (text) => hide(text),
    read: async (view, parameters) =>
      readView(view, { ...viewOf(now()), snapshots: () => storedSnapshots(io), batches }, parameters),
    act: (action) => perform(io, now(), action),
  });
}

/** Reads the built page: every file of its folder, by path. */
function pageFiles(): ReadonlyMap<string, Asset> {
  const folder = join(packageRoot(), 'dist', 'page');
  const files = namesIn(folder).flatMap((name): [string, Asset][] => {
    const [type, content] = [TYPES[extname(name)], readText(join(folder, name))];
    if (type === undefined || content === undefined) return [];
    return [[name === 'index.html' ? '/' : `/${name}`, { type, content }]];
  });
  if (!files.some(([path]) => path === '/'))
    throw new Failure('page', `the package is incomplete: ${join(folder, 'index.html')} is missing`);
  return new Map(files);
}
