import { join } from 'node:path';
import { EXIT, Failure } from '../../../system/failure.ts';
import { readText } from '../../../system/files/folder.ts';
import { packageRoot } from '../../../system/program/entry.ts';
import { onInterrupt } from '../../../system/program/terminal.ts';
import { devnetAt, selectDevnet, viewOf } from '../../devnet/select.ts';
import { version } from '../../devnet/version.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';
import { numberOption } from '../input/number-option.ts';

/** The dashboard of Grafana, relative to the package. */
const GRAFANA = 'docs/how-to/metrics/grafana.json';

export const command: CommandDefinition = {
  name: 'metrics',
  group: 'look at a network',
  summary: 'print or serve the metrics of a devnet for Prometheus: heads, lags, agreement, processes',
  examples: [
    'devnet metrics',
    'devnet metrics --serve --port 9501',
    'devnet metrics --targets > targets.json',
    'devnet metrics --grafana > dashboard.json',
  ],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--serve', description: 'serve /metrics and /targets on loopback until interrupted' },
    { flags: '--port <port>', description: 'the port to serve on; default: 9501 or the next free one' },
    { flags: '--targets', description: "print the nodes' own endpoints as a service discovery file of Prometheus" },
    { flags: '--grafana', description: 'print a dashboard for Grafana' },
    ...DEVNET_OPTIONS,
  ],
  forPrograms: () => true,
  async run(io, [name], options) {
    const [one, two] = ['serve', 'targets', 'grafana'].filter((each) => options[each] === true);
    if (two !== undefined)
      throw new Failure('usage', `metrics: expected --${one} or --${two}, found both`, { exit: EXIT.usage });
    if (one === 'grafana') {
      io.stdout(readText(join(packageRoot(), GRAFANA)) ?? '');
      return EXIT.done;
    }
    const devnet = selectDevnet(io, wantedName(name, options));
    const { targetsOf } = await import('../../metrics/targets.ts');
    if (one === 'targets') {
      io.stdout(`${JSON.stringify(targetsOf(viewOf(devnet).plan), null, 2)}\n`);
      return EXIT.done;
    }
    const [{ takeSnapshot }, { CONTENT_TYPE, metricsText }, { gatherer }] = await Promise.all([
      import('../../metrics/snapshot.ts'),
      import('../../metrics/text.ts'),
      import('../../terminal/live-view/gather.ts'),
    ]);
    const gather = gatherer();
    const text = async () => metricsText(await takeSnapshot(devnetAt(devnet.paths), gather), version());
    if (one !== 'serve') {
      io.stdout(await text());
      return EXIT.done;
    }
    const { serveMetrics } = await import('../../metrics/serve.ts');
    const interrupted = Promise.withResolvers<string>();
    const unfollow = onInterrupt(interrupted.resolve);
    const server = await serveMetrics(numberOption(options, 'port', 0, 65_535), {
      contentType: CONTENT_TYPE,
      text,
      targets: () => targetsOf(viewOf(devnetAt(devnet.paths)).plan),
    });
    io.stderr(`serving http://127.0.0.1:${server.port}/metrics and /targets; Ctrl-C ends it\n`);
    const signal = await interrupted.promise;
    unfollow();
    await server.close();
    return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  },
};
