import { describe, expect, it } from 'vitest';
import { parseAddress, parseSubnet } from '../../../../src/nodes/gossip/host/subnet.ts';

describe('subnets and addresses', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['192.168.7.9/32', '192.168.7.9/32', '192.168.7.9', '192.168.7.8'],
    ['1.2.3.4/0', '0.0.0.0/0', '9.9.9.9', '::1'],
    ['2001:DB8:1:2::5/33', '2001:db8::/33', '2001:db8:7fff::', '2001:db8:8000::'],
    ['fd00::ffff:1.2.3.4/128', 'fd00::ffff:102:304/128', 'fd00::ffff:102:304', 'fd00::ffff:102:305'],
    ['1:2:3:4:5:6:7:8/16', '1::/16', '1:9::', '2::'],
    ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:9'],
    ['1:2:3:4:5:6:10.20.30.40/128', '1:2:3:4:5:6:a14:1e28/128', '1:2:3:4:5:6:a14:1e28', '1:2:3:4:5:6:a14:1e29'],
    ['::7/128', '::7/128', '::7', '::8'],
  ])('%s is %s', (text, canonical, inside, outside) => {
    const subnet = parseSubnet(text);
    expect(subnet.text).toBe(canonical);
    expect(subnet.contains(inside)).toBe(true);
    expect(subnet.contains(outside)).toBe(false);
  });

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:102:304', '1.2.3.4'],
    ['1::ffff:7', '1::ffff:7'],
    ['::ffff:1:2:3', '::ffff:1:2:3'],
    ['0::ffff:7', '::255.255.0.7'],
  ])('%s is spelt %s', (text, canonical) => expect(parseAddress(text)).toBe(canonical));

  it.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', 'host/8', '10.0.0.0/-1', '10.0.0.0/8x', ''])(
    '%o is none',
    (text) => expect(() => parseSubnet(text)).toThrow('expected a subnet'),
  );
});
