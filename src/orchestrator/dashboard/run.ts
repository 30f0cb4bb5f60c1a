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
import { ENDED } from './failure-words.ts';
import { createFeed } from './feed.ts';
import { linksOf } from './links.ts';
import { pictures } from './picture.ts';
import { type Asset, serveDashboard } from './server.ts';
import { watchSuccession } from './succession.ts';
import { identityOf, keptToken, tokenOf } from './token.ts';
import { readView } from './views.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Blocks and batches whose marks are kept. */
const MAX_TRACES = 2000;

/** What is read of one devnet and kept for all pages. */
const readersOf = () => ({
  gather: gatherer(),
  make: pictures(process.pid),
  batches: batchReader(),
  transactions: transactionIndex(),
  traces: new TraceBook(MAX_TRACES),
});

/**
 * Serves the dashboard of a devnet, through its stops and starts. Once it is taken down, every page says so, and shows
 * the next devnet of its name when there is one. That one has another token: the old one changes nothing.
 * @throws Failure `port` (exit 4)
 */
export async function startDashboard(io: Io, devnet: Devnet, port: number | undefined): Promise<RunningServer> {
  const { name, folder } = devnet.paths;
  let token = tokenOf(folder);
  const isSame = () => keptToken(folder) === token;
  const now = () => {
    if (isSame()) return devnetAt(devnet.paths);
    throw new Failure(ENDED, `${name} was taken down`, {
      hint: `this page shows it again after the next \`devnet up\` of that name`,
    });
  };
  let hide = redactor(secretsOf(viewOf(now()).plan));
  let readers = readersOf();
  const abis = new AbiReader((message) => io.stderr(`note: ${message}\n`));
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
      const id = identityOf(token);
      const { gather, make } = readers;
      const [snapshot, links] = await Promise.all([
        takeSnapshot(current, gather),
        isUp(current) ? linksOf(viewOf(current).plan) : undefined,
      ]);
      hide = redactor(secretsOf(snapshot.plan));
      return make(snapshot, id, links);
    },
    events: (receive, signal) =>
      follow('watch', (event) => event.event === 'network' && receive(event.network), signal),
    marks: (signal) =>
      follow('marks', (event) => event.event === 'mark' && readers.traces.add(event.task, event.mark), signal),
  });
  // The code that the first page needs is loaded before it is opened.
  feed.prepare();
  const server = await serveDashboard(port, {
    token: () => token,
    assets: pageFiles(),
    feed,
    hide: (text) => hide(text),
    read: async (view, parameters) =>
      readView(view, { ...viewOf(now()), snapshots: () => storedSnapshots(io), abis, ...readers }, parameters),
    act: async (action) => perform(io, now(), action),
  });
  const url = `http://127.0.0.1:${server.port}/`;
  let unrecord = recordDashboard(devnet.paths, server.port);
  const unwatch = watchSuccession(devnet, {
    isSame,
    down: () => io.stderr(`${name} was taken down: ${url} shows the next devnet of that name; Ctrl-C ends it\n`),
    next(other) {
      hide = redactor(secretsOf(viewOf(other).plan));
      token = tokenOf(folder);
      readers = readersOf();
      unrecord = recordDashboard(devnet.paths, server.port);
      io.stderr(`${name} is up again: ${url} shows it; its token is another one\n`);
    },
  });
  return {
    ...server,
    close() {
      unwatch();
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
