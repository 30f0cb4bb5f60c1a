import { readyRoute } from '../../rpc/server/ready-route.ts';
import type { RunningServer } from '../../rpc/server/server.ts';
import type { Channel } from '../../system/channel/channel.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Running } from '../../system/program/program.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen, running } from '../service/listen.ts';
import { beaconApi } from './api/api.ts';
import { Beacon, type BeaconConfig } from './beacon.ts';
import { openJournal } from './chain/journal.ts';
import { openGate } from './gate.ts';
import { testMethods, unsupervisedMethods } from './test-methods.ts';

/** A running beacon node with its ports. */
export interface RunningBeacon extends Running {
  readonly port: number;
  /** undefined: no gate. */
  readonly gatePort: number | undefined;
}

/**
 * Starts the beacon API at once, and mines on L1 as soon as it answers (op-e2e: `FakeBeacon`, `FakePoS`).
 * @throws Failure if the port is taken or the journal is damaged
 */
export async function startBeacon(config: BeaconConfig, channel: Channel, log: Logger): Promise<RunningBeacon> {
  const journal = openJournal(config.datadir);
  const stopping = new AbortController();
  const beacon = new Beacon(config, channel, log, journal, stopping.signal);
  const { host, port } = config;
  const ready = readyRoute(() => unready(beacon));
  const answer = beaconApi(beacon, log);
  const route: typeof ready = (request, response) => ready(request, response) || answer(request, response);
  const api = { host, port, ...hostOriginPolicy(config), http: false, methods: {}, context: undefined, route };
  const { gateHost = host, gatePort, l1 } = config;
  const servers: RunningServer[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  let server: RunningServer;
  let gate: RunningServer | undefined;
  try {
    server = await listen('http.port', api);
    servers.push(server);
    if (gatePort !== undefined) {
      const { move, checkpoint } = channel;
      const methods = {
        ...beacon.changeMethods,
        ...(move && checkpoint
          ? testMethods(channel, { move, checkpoint }, () => beacon.chain)
          : unsupervisedMethods()),
      };
      gate = await openGate({ ...hostOriginPolicy(config), host: gateHost, port: gatePort }, l1, {
        methods,
        waiting: () => beacon.attempt(),
      });
      servers.push(gate);
    }
  } catch (error) {
    await close();
    journal.close();
    throw error;
  }
  log.info('Beacon API listens', { address: `http://${host}:${server.port}`, l1: config.l1, mine: config.mine });
  if (gate) log.info('Gate of L1 listens', { address: `http://${gateHost}:${gate.port}` });
  const run = beacon.run();
  const { failed, stop } = running(run, async () => {
    stopping.abort();
    await close();
    await beacon.keepAtStop();
    beacon.close();
  });
  return { port: server.port, gatePort: gate?.port, failed, stop: () => stop().finally(() => journal.close()) };
}

/** Returns why L1 is not ready: its beacon node has no contact, or gives it blocks of the journal again. */
function unready({ distance }: Pick<Beacon, 'distance'>): string | undefined {
  if (distance === undefined) return 'L1 does not answer';
  return distance === 0 ? undefined : `L1 lacks ${distance} blocks of the journal`;
}
