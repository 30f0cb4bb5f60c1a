import { describe, expect, it } from 'vitest';
import { junitXml } from '../../../../src/orchestrator/scenario/perform/junit.ts';

describe('JUnit XML', () => {
  const result = { name: 'drill', passed: false, seed: 0, seconds: 2, heads: {} };
  const step = (text: string, status: 'passed' | 'failed' | 'skipped', error = '') =>
    ({ number: '1', step: text, status, seconds: 1, at: 'a.yaml:3', evidence: error === '' ? {} : { error } }) as const;

  it('has a case for each step, with its time and what it found', () => {
    const steps = [step('exec a', 'passed'), { ...step('exec b', 'failed', 'no'), number: '2' }];
    expect(junitXml({ ...result, steps })).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<testsuites name="drill" tests="2" failures="1" errors="0" skipped="0" time="2">',
        '<testsuite name="drill" tests="2" failures="1" errors="0" skipped="0" time="2">',
        '<testcase name="1 exec a" classname="drill" time="1"><system-out>{}</system-out></testcase>',
        '<testcase name="2 exec b" classname="drill" time="1">',
        '<failure message="no" type="step">  a.yaml:3\n  no</failure>',
        '<system-out>{\n  &quot;error&quot;: &quot;no&quot;\n}</system-out></testcase>',
        '</testsuite></testsuites>\n',
      ].join(''),
    );
  });

  it('has the end of a network as a case after those of the steps, and its start before them', () => {
    const namesIn = (xml: string) =>
      [...xml.matchAll(/<testcase name="([^"]*)" classname="drill" time="(\d)"/g)].map(([, ...found]) => found);
    const steps = [step('exec a', 'skipped')];
    expect(namesIn(junitXml({ ...result, steps }))).toEqual([
      ['start of the network', '2'],
      ['1 exec a', '1'],
    ]);
    expect(namesIn(junitXml({ ...result, steps, teardown: 'x' }))).toEqual([
      ['1 exec a', '1'],
      ['end of the network', '0'],
    ]);
  });

  it('keeps the line ends and tabs of a text, and escapes those of an attribute', () => {
    const xml = junitXml({ ...result, steps: [step('exec\ta\rb', 'failed', 'x\ty\rz\u{1f600}')] });
    expect(xml).toContain('name="1 exec&#9;a&#13;b"');
    expect(xml).toContain('>  a.yaml:3\n  x\ty&#13;z\u{1f600}<');
  });

  it('escapes what a step holds', () => {
    const xml = junitXml({ ...result, steps: [step('exec "<a> & \u0007"', 'failed', 'said "<no>"\nthen \ud800')] });
    expect(xml).toContain('name="1 exec &quot;&lt;a&gt; &amp; ·&quot;"');
    expect(xml).toContain('message="said &quot;&lt;no&gt;&quot;&#10;then ·"');
  });

  it('counts each element that it writes', () => {
    const steps = [step('exec a', 'passed'), step('exec b', 'failed', 'exit code 1'), step('exec c', 'skipped')];
    const xml = junitXml({ ...result, steps });
    const counts = 'tests="3" failures="1" errors="0" skipped="1"';
    expect(xml).toMatch(new RegExp(`<testsuites [^>]*${counts}[^>]*>.*<testsuite [^>]*${counts}[^>]*>`, 's'));
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    expect(xml.match(/<failure message="exit code 1" type="step">[^<]*a\.yaml:3[^<]*<\/failure>/g)).toHaveLength(1);
    expect(xml.match(/<skipped\/>/g)).toHaveLength(1);
    expect(xml).not.toContain('<error');
  });

  it('has a failure if the network cannot be torn down after steps that passed', () => {
    const xml = junitXml({ ...result, steps: [step('exec a', 'passed')], teardown: 'main/a/el: "ignores" SIGKILL' });
    expect(xml).toMatch(/<testsuite [^>]*tests="2" failures="1" errors="0" skipped="0"/);
    expect(xml.match(/<testcase name="end of the network"[^>]*><failure message="main\/a\/el: &quot;/g)).toHaveLength(
      1,
    );
    expect(xml).not.toContain('<error');
  });

  it('has an error if the network did not become ready', () => {
    const xml = junitXml({ ...result, steps: [step('exec a', 'skipped')] });
    expect(xml).toMatch(/<testsuite [^>]*tests="2" failures="0" errors="1" skipped="1"/);
    expect(xml.match(/<error message="the network did not become ready/g)).toHaveLength(1);
  });
});
