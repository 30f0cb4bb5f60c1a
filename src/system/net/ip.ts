/** Parses IP addresses and subnets without opening a socket. */
export { BlockList, isIP, SocketAddress } from 'node:net';
