import { Discv5 } from '@chainsafe/discv5';
import { ENR, SignableENR } from '@chainsafe/enr';
import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { Failure } from '../../../system/failure.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { readText } from '../../../system/files/folder.ts';
import { isIP } from '../../../system/net/ip.ts';
import type { Logger } from '../../../system/program/log.ts';
import { decodeOpStack, encodeOpStack, OPSTACK } from './opstack-record.ts';

/** Settings of discovery. */
export interface DiscoveryOptions {
  readonly key: Uint8Array;
  readonly chainId: number;
  readonly listenIp: string;
  readonly udpPort: number;
  readonly tcpPort: number;
  /** Address and ports that the record advertises in place of the listen address. */
  readonly advertise: { readonly ip?: string; readonly tcp?: number; readonly udp?: number };
  /** Records (`enr:…`) to start from. */
  readonly bootnodes: readonly string[];
  /** File of the records that were found; undefined: kept in memory only. */
  readonly path: string | undefined;
  readonly log: Logger;
}

/** A node of the same rollup, from its node record. */
export interface Discovered {
  /** Peer id. */
  readonly id: string;
  readonly enr: string;
  readonly chainId: number;
  readonly ip: string;
  readonly address: string;
}

/** The discovery of peers by discv5 (geth: `UDPv5`, kona: `Discv5Handler`). */
export interface Discovery {
  /** This node's record. */
  enr(): string;
  /** All records in the table, of any network. */
  table(): string[];
  /** Does one lookup of the table and returns the known nodes of this rollup. */
  search(): Promise<Discovered[]>;
  stop(): Promise<void>;
}

/** Version of the record's entry. */
const RECORD_VERSION = 0;
/** Records kept in the file. */
const MAX_STORED_RECORDS = 200;

/**
 * Starts discv5 with the rollup's entry in its record (op-node: `Config.Discovery`, kona: `Discv5Driver`).
 * @throws Failure `discovery` on a malformed record, the listen error on a port that is taken
 */
export async function startDiscovery(options: DiscoveryOptions): Promise<Discovery> {
  const { key, chainId, log } = options;
  const enr = ownRecord(options);
  const boot = options.bootnodes.map((text) => parseRecord(text, '--p2p.bootnodes'));
  const storedRecords = readRecords(options.path);
  const bind = bindAddress(options);
  const discv5 = Discv5.create({
    enr,
    // The library's keys are of an older libp2p interface, with the same shape in what is used here.
    privateKey: privateKeyFromRaw(key) as never,
    bindAddrs: isIP(options.listenIp) === 6 ? { ip6: bind } : { ip4: bind },
    config: { enrUpdate: options.advertise.ip === undefined && enr.ip === undefined && enr.ip6 === undefined },
  });
  await discv5.start();
  for (const record of [...boot, ...storedRecords]) discv5.addEnr(record);
  log.info('discovery listens', { udp: options.udpPort, enr: enr.encodeTxt() });

  /**
   * Returns the node of a record that belongs to this rollup (op-node: `FilterEnodes`, `enrToAddrInfo`).
   * Counterpart in kona: `EnrValidation`, `enr_to_multiaddr`.
   */
  function matching(record: ENR): Discovered[] {
    const bytes = record.kvs.get(OPSTACK);
    const entry = bytes && decodeOpStack(bytes);
    if (entry?.chainId !== chainId || entry.version !== RECORD_VERSION || record.nodeId === enr.nodeId) return [];
    const [ip, tcp] = record.ip === undefined ? [record.ip6, record.tcp6 ?? record.tcp] : [record.ip, record.tcp];
    if (ip === undefined || tcp === undefined) return [];
    const address = `/${isIP(ip) === 6 ? 'ip6' : 'ip4'}/${ip}/tcp/${tcp}`;
    const id = record.peerId.toString();
    return [{ id, enr: record.encodeTxt(), chainId, ip, address: `${address}/p2p/${id}` }];
  }

  return {
    enr: () => discv5.enr.encodeTxt(),
    table: () => discv5.kadValues().map((record) => record.encodeTxt()),
    async search() {
      const lookup = await discv5.findRandomNode().catch((error: unknown) => {
        log.debug('a discovery lookup failed', { error });
        return [];
      });
      const records = new Map([...boot, ...discv5.kadValues(), ...lookup].map((record) => [record.nodeId, record]));
      return [...records.values()].flatMap(matching);
    },
    async stop() {
      if (options.path !== undefined) {
        const records = discv5.kadValues().slice(0, MAX_STORED_RECORDS);
        writeAtomic(options.path, `${JSON.stringify(records.map((record) => record.encodeTxt()))}\n`, 0o600);
      }
      await discv5.stop();
    },
  };
}

/**
 * Creates this node's record (geth: `NewLocalNode`, kona: `LocalNode`).
 * A newer record needs a larger sequence number. The time gives one without stored state.
 */
function ownRecord({ key, chainId, listenIp, udpPort, tcpPort, advertise }: DiscoveryOptions): SignableENR {
  const record = SignableENR.createV4(key);
  const isAnywhere = listenIp === '0.0.0.0' || listenIp === '::';
  const ip = advertise.ip ?? (isAnywhere ? undefined : listenIp);
  const [tcp, udp] = [advertise.tcp ?? tcpPort, advertise.udp ?? udpPort];
  if (ip !== undefined && isIP(ip) === 6) [record.ip6, record.tcp6, record.udp6] = [ip, tcp, udp];
  else {
    if (ip !== undefined) record.ip = ip;
    [record.tcp, record.udp] = [tcp, udp];
  }
  record.set(OPSTACK, encodeOpStack({ chainId, version: RECORD_VERSION }));
  return new SignableENR(record.kvs, BigInt(Date.now()), key);
}

/** Makes an address of the library's own version of the multiaddr package, by way of a record. */
function bindAddress({ key, listenIp, udpPort }: DiscoveryOptions) {
  const record = SignableENR.createV4(key);
  const isSix = isIP(listenIp) === 6;
  if (isSix) [record.ip6, record.udp6] = [listenIp, udpPort];
  else [record.ip, record.udp] = [listenIp, udpPort];
  const address = record.getLocationMultiaddr(isSix ? 'udp6' : 'udp4');
  if (!address) throw new Failure('discovery', `discovery cannot listen on ${listenIp}: expected an IP address`);
  return address;
}

function parseRecord(text: string, where: string): ENR {
  try {
    return ENR.decodeTxt(text.startsWith('enr:') ? text : `enr:${text}`);
  } catch (cause) {
    throw new Failure('discovery', `${where}: ${JSON.stringify(text)} is not a node record (enr:…)`, { cause });
  }
}

function readRecords(path: string | undefined): ENR[] {
  if (path === undefined) return [];
  const text = readText(path);
  if (text === undefined || text.trim() === '') return [];
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (!Array.isArray(records))
    throw new Failure('discovery', `${path} is not a file of node records`, {
      hint: 'delete it, or name another with --p2p.discovery.path; `memory` keeps none',
    });
  return records.map((record) => parseRecord(String(record), path));
}
