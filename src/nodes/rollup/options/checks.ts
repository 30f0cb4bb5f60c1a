import { messageOf } from '../../../system/failure.ts';
import { parseSubnet } from '../../gossip/host/subnet.ts';
import type { OptionTable } from './table.ts';

/** L1 blocks in the sequencer drift (interface, section 8). */
const MOST_L1_CONFS = 150;

/**
 * Returns the problems of the parsed options: missing ones, malformed ones, contradictions.
 * Counterpart in op-node: `CheckRequired`, `Config.Check`.
 */
export function checkOptions(read: OptionTable): string[] {
  return [...missing(read), ...malformed(read), ...contradictions(read)];
}

function missing(read: OptionTable): string[] {
  return [
    ...(read.rollupConfig === undefined ? ['--rollup.config is missing: the file with the chain parameters'] : []),
    ...(read.l2 === undefined ? ["--l2 is missing: the execution client's authenticated endpoint"] : []),
    ...(read.altDaEnabled && read.altDaServer === undefined
      ? ['--altda.da-server is missing: --altda.enabled reads from it']
      : []),
    ...(read.signerEndpoint !== undefined && read.signerAddress === undefined
      ? ['--signer.address is missing: the address that --signer.endpoint signs as']
      : []),
    ...(read.signerAddress !== undefined && read.signerEndpoint === undefined
      ? ['--signer.endpoint is missing: where --signer.address is signed for']
      : []),
    ...(read.interopAddr !== undefined && read.interopJwt === undefined
      ? ['--interop.jwt-secret is missing: the file of the secret that --interop.rpc.addr asks for (created if absent)']
      : []),
    ...(read.pprofPath !== undefined && read.pprofType === undefined
      ? ['--pprof.type is missing: the kind of profile that goes to --pprof.path (cpu, heap, allocs)']
      : []),
  ];
}

function malformed(read: OptionTable): string[] {
  const foundText = (value: string) => `found ${JSON.stringify(value)}`;
  const each = (values: readonly string[], pattern: RegExp, what: string) =>
    values.filter((value) => !pattern.test(value)).map((value) => `${what}, ${foundText(value)}`);
  const maybe = (value: string | undefined) => (value === undefined ? [] : [value]);
  return [
    ...each(maybe(read.beaconHeader), /^[\w-]+:\s*\S/, '--l1.beacon-header: expected "Name: Value"'),
    ...(read.p2pSequencerKey !== undefined && !/^(0x)?[0-9a-fA-F]{64}$/.test(read.p2pSequencerKey)
      ? ['--p2p.sequencer.key: expected 64 hex digits']
      : []),
    ...each(
      read.p2pStatic,
      /^\/(ip4|ip6|dns|dns4|dns6)\/[^/]+\/tcp\/\d+\/p2p\/[1-9A-Za-z]+$/,
      '--p2p.static: expected /ip4/<address>/tcp/<port>/p2p/<peer id>',
    ),
    ...each(
      maybe(read.p2pNatGateway),
      /^http:\/\/(\d+(\.\d+){3}|\[[\da-f:.]+\])(:\d+)?\//i,
      '--p2p.nat.gateway: expected http://<IP address>:<port>/<path>',
    ),
    ...each(read.p2pBootnodes, /^(enr:)?[\w-]{80,}$/, '--p2p.bootnodes: expected node records (enr:…)'),
    ...each(read.signerHeader, /^[\w-]+=./, '--signer.header: expected key=value'),
    ...each(maybe(read.signerAddress), /^0x[0-9a-fA-F]{40}$/, '--signer.address: expected 0x and 40 hex digits'),
    ...read.p2pNetRestrict.flatMap((subnet) => {
      try {
        parseSubnet(subnet);
        return [];
      } catch (error) {
        return [`--p2p.netrestrict: ${messageOf(error)}`];
      }
    }),
  ];
}

function contradictions(read: OptionTable): string[] {
  return [
    ...(read.p2pPeersLo > read.p2pPeersHi || read.p2pPeersHi === 0
      ? [`--p2p.peers.lo=${read.p2pPeersLo} is above --p2p.peers.hi=${read.p2pPeersHi}, or the latter is 0`]
      : []),
    ...signers(read),
    ...(read.p2pBootnodes.length > 0 && (read.p2pDisable || read.p2pNoDiscovery)
      ? [`--${read.p2pDisable ? 'p2p.disable' : 'p2p.no-discovery'} disables discovery, which --p2p.bootnodes needs`]
      : []),
    ...(read.p2pNatGateway !== undefined && (read.p2pDisable || !read.p2pNat)
      ? ['--p2p.nat.gateway without --p2p.nat: no router is asked for a port']
      : []),
    ...(read.sequencerEnabled && read.sequencerL1Confs > MOST_L1_CONFS
      ? [
          `--sequencer.l1-confs=${read.sequencerL1Confs}: expected at most ${MOST_L1_CONFS}, ` +
            'the L1 blocks of the sequencer drift (1800 s)',
        ]
      : []),
    ...(read.interopAddr === undefined && read.interopJwt !== undefined
      ? ['--interop.jwt-secret without --interop.rpc.addr: nothing is served that asks for it']
      : []),
    ...(read.sequencerEnabled && read.followSource !== undefined
      ? ['--l2.follow.source with --sequencer.enabled: only a verifier follows another rollup node here']
      : []),
    ...(read.conductorEnabled && !read.sequencerEnabled
      ? ['--conductor.enabled without --sequencer.enabled: a conductor leads sequencers']
      : []),
    ...(read.conductorEnabled && read.adminState !== undefined
      ? ['--conductor.enabled and --rpc.admin-state: whether to sequence is for the conductor to say, keep no state']
      : []),
  ];
}

/** A block has one signer. */
function signers(read: OptionTable): string[] {
  const sources = [
    ...(read.signerEndpoint === undefined ? [] : ['--signer.endpoint']),
    ...(read.p2pSequencerKey === undefined ? [] : ['--p2p.sequencer.key']),
    ...(read.p2pSequencerKeyPath === undefined ? [] : ['--p2p.sequencer.key.path']),
  ];
  return sources.length < 2 ? [] : [`${sources.join(' and ')}: blocks are signed with one key, give one of them`];
}
