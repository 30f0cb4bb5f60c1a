import { EXIT, messageOf } from '../../../system/failure.ts';
import { openInBrowser } from '../../../system/program/open-browser.ts';
import { onInterrupt } from '../../../system/program/terminal.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';
import { numberOption } from '../input/number-option.ts';

export const command: CommandDefinition = {
  name: 'dashboard',
  group: 'look at a network',
  summary: 'show a devnet in the browser: topology, heads, forks, blocks, batches, bridge, logs',
  examples: ['devnet dashboard --open', 'devnet dashboard --port 9600'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--open', description: 'open the browser, with the token that its buttons need' },
    { flags: '--port <port>', description: 'the port to serve on; default: 9500 or the next free one' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const port = numberOption(options, 'port', 0, 65_535);
    const devnet = selectDevnet(io, wantedName(name, options));
    viewOf(devnet);
    const [{ startDashboard }, { openingPage, tokenOf, tokenPath }] = await Promise.all([
      import('../../dashboard/run.ts'),
      import('../../dashboard/token.ts'),
    ]);
    const interrupted = Promise.withResolvers<string>();
    const unfollow = onInterrupt(interrupted.resolve);
    const server = await startDashboard(io, devnet, port);
    const url = `http://127.0.0.1:${server.port}/`;
    const { folder } = devnet.paths;
    io.stderr(`${url} shows ${devnet.paths.name}; Ctrl-C ends the page\n`);
    io.stderr(`  its buttons need the token in ${tokenPath(folder)}; --open brings it along\n`);
    if (options['open'] === true) {
      const page = openingPage(folder, url, tokenOf(folder));
      openInBrowser(page).catch((error: unknown) =>
        io.stderr(`no browser could be started (${messageOf(error)}): open ${page} in one\n`),
      );
    }
    const signal = await interrupted.promise;
    unfollow();
    await server.close();
    return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  },
};
