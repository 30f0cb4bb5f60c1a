import { extname, join } from 'node:path';
import type { RunningServer } from '../../rpc/server/listener.ts';
import { Failure } from '../../system/failure.ts';
import { namesIn, readText } from '../../system/files/folder.ts';
import { packageRoot } from '../../system/program/entry.ts';
import { connectControl } from '../control/client.ts';
import { type Devnet, devnetAt, isUp, viewOf } from '../devnet/select.ts';
import { recordDashboard } from '../folder/served-dashboards.ts';
import { AbiReader } from '../inspect/abi/abi-reader.ts';
import { takeSnapshot } from '../metrics/snapshot.ts';
import { redactor, secretsOf } from '../plan/redact.ts';
import { storedSnapshots } from '../snapshots/store.ts';
import type { Event } from '../state/events.ts';
import type { Io } from '../terminal/io.ts';
import { gatherer } from '../terminal/live-view/gather.ts';
import { TraceBook } from '../traces/book.ts';
import { perform } from './actions.ts';
import { batchReader } from './explorer/batches.ts';
import { transactionIndex } from './explorer/transaction-index.ts';
import { createFeed } from './feed.ts';
import { linksOf } from './links.ts';
import { pictures } from './picture.ts';
import { type Asset, serveDashboard } from './server.ts';
import { keptToken, tokenOf } from './token.ts';
import { readView } from './views.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Time (ms) between two checks whether the devnet is still the same. */
const CHECK_MS = 1000;
/** Blocks and batches whose marks are kept. */
const MAX_TRACES = 2000;

/**
 * Serves the dashboard of a devnet, through its stops and starts. Once it is taken down, every page says so: a new
 * devnet of its name has another token, and is neither shown nor changed by this one.
 * @throws Failure `port` (exit 4)
 */
export async function startDashboard(io: Io, devnet: Devnet, port: number | undefined): Promise<RunningServer> {
  const { name, folder } = devnet.paths;
  const token = tokenOf(folder);
  const isSame = () => keptToken(folder) === token;
  const now = () => {
    if (isSame()) return devnetAt(devnet.paths);
    throw new Failure('ended', `the ${name} of this dashboard was taken down`, {
      hint: `end it, and run \`devnet dashboard ${name}\` if there is a new one`,
    });
  };
  let hide = redactor(secretsOf(viewOf(now()).plan));
  const gather = gatherer();
  const make = pictures(process.pid);
  const batches = batchReader();
  const transactions = transactionIndex();
  const abis = new AbiReader((message) => io.stderr(`note: ${message}\n`));
  const traces = new TraceBook(MAX_TRACES);
  /** Calls back for events of the network until aborted or until it ends. */
  const follow = async (method: 'watch' | 'marks', receive: (event: Event) => void, signal: AbortSignal) => {
    const control = isSame() ? await connectControl(devnet.paths.control) : undefined;
    if (control === undefined) return;
    const leave = () => control.close();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await control.events(receive, method);
    signal.removeEventListener('abort', leave);
  };
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
    events: (receive, signal) =>
      follow('watch', (event) => event.event === 'network' && receive(event.network), signal),
    marks: (signal) => follow('marks', (event) => event.event === 'mark' && traces.add(event.task, event.mark), signal),
  });
  // The code that the first page needs is loaded before it is opened.
  feed.prepare();
  const server = await serveDashboard(port, {
    token,
    assets: pageFiles(),
    feed,
    hide: (text) => hide(text),
    read: async (view, parameters) =>
      readView(
        view,
        { ...viewOf(now()), snapshots: () => storedSnapshots(io), abis, batches, transactions, traces },
        parameters,
      ),
    act: async (action) => perform(io, now(), action),
  });
  const unrecord = recordDashboard(devnet.paths, server.port);
  const checks = setInterval(() => {
    if (isSame()) return;
    clearInterval(checks);
    io.stderr(`${name} was taken down: http://127.0.0.1:${server.port}/ shows nothing any more; Ctrl-C ends it\n`);
  }, CHECK_MS);
  return {
    ...server,
    close() {
      clearInterval(checks);
      unrecord();
      return server.close();
    },
  };
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
