/** What Node knows of IP addresses and subnets; no socket is opened. */
export { BlockList, isIP, SocketAddress } from 'node:net';
