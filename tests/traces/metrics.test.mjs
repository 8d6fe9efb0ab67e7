/** The metrics of an outbox with the SDK of OpenTelemetry; and that the dashboard and the alerts of the guide use metrics that exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { root } from '../../scripts/places.mjs';
import { programOf } from '../../scripts/run.mjs';
import { answer, creates, refuses } from '../client/fault-server.mjs';
import { numbered } from '../outbox/harness.mjs';
import { setUp } from '../outbox/set-up.mjs';
import { SalesOrderInstrumentation } from './spans.mjs';

const GUIDE = join(root, 'docs/guides/metrics');
const promtool = programOf('PROMTOOL', 'promtool');
const instrumentation = new SalesOrderInstrumentation();
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });

before(() => {
  instrumentation.setMeterProvider(new MeterProvider({ readers: [reader] }));
  instrumentation.enable();
});
after(async () => {
  instrumentation.disable();
  await reader.shutdown();
});

/** Returns the metrics as they are now, by name. */
async function collected() {
  exporter.reset();
  await reader.forceFlush();
  /** @type {any[]} Its types don't tell histograms from numbers. */
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return Object.fromEntries(metrics.map((metric) => [metric.descriptor.name, metric]));
}

/** Returns the values of a metric by an attribute. */
const valuesBy = (metric, attribute) =>
  Object.fromEntries(metric.dataPoints.map(({ attributes, value }) => [attributes[attribute], value]));

test('entries by state, the age of the oldest, pauses by cause, deliveries by outcome, and the time from add to creation', async (t) => {
  const { outbox, settled, until, advance } = await setUp(t, {
    script: [answer(503), creates, refuses(422, 'Xaviera'), ...Array(100).fill(answer(401))],
  });
  let reads = 0;
  const end = instrumentation.observe({
    counts() {
      reads++;
      return outbox.counts();
    },
  });
  outbox.start();
  await outbox.add(numbered(0), { reference: 'Xaviera' });
  await settled(numbered(0).Id);
  await outbox.add(numbered(1));
  await settled(numbered(1).Id);
  await outbox.add(numbered(2));
  await until(async () => (await outbox.counts()).pause, 'the pause');
  await advance(5000);
  const metrics = await collected();
  const states = valuesBy(metrics['sales_order_intake.outbox.entries'], 'sales_order_intake.state');
  assert.deepEqual([states.created, states.refused, states.waiting + states.sending, states.stalled], [1, 1, 1, 0]);
  assert.ok(metrics['sales_order_intake.outbox.oldest_waiting'].dataPoints[0].value >= 5);
  assert.deepEqual(valuesBy(metrics['sales_order_intake.outbox.pauses'], 'sales_order_intake.pause.cause'), {
    ...{ unreachable: 0, token: 1, 'retry-after': 0, failures: 0, suspect: 0 },
  });
  const deliveries = metrics['messaging.process.duration'].dataPoints.map(({ attributes, value }) => [
    attributes['sales_order_intake.state'],
    attributes['sales_order_intake.outcome'],
    attributes['error.type'],
    value.count > 0,
  ]);
  assert.deepEqual(deliveries, [
    ['waiting', 'unknown', 'ServerError', true],
    ['created', 'created', undefined, true],
    ['refused', 'not-created', 'RejectedError', true],
    ['waiting', 'not-created', 'AuthenticationError', true],
  ]);
  const { count, sum } = metrics['sales_order_intake.outbox.creation.duration'].dataPoints[0].value;
  assert.equal(count, 1);
  assert.ok(sum > 0 && sum < 60);
  assert.doesNotMatch(JSON.stringify(Object.values(metrics).map(({ dataPoints }) => dataPoints)), /Xaviera|0000-4000/);
  end();
  await collected();
  assert.equal(reads, 1, 'after its end the outbox is not read any more');
});

/** The names of metrics in Prometheus, with the suffixes of units and histograms. */
async function namesInPrometheus() {
  const names = Object.values(await collected()).flatMap(({ descriptor: { name, unit }, dataPointType }) => {
    const base = name.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '');
    return dataPointType === DataPointType.HISTOGRAM
      ? ['_bucket', '_sum', '_count'].map((suffix) => base + suffix)
      : [base];
  });
  return new Set(names);
}

const dashboard = JSON.parse(readFileSync(join(GUIDE, 'dashboard.json'), 'utf8'));
const alerts = readFileSync(join(GUIDE, 'alerts.yml'), 'utf8');
const expressions = {
  ...Object.fromEntries(
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr, refId }) => [`${title} ${refId}`, expr])),
  ),
  ...Object.fromEntries([...alerts.matchAll(/alert: (\w+)\n +expr: (.*)$/gm)].map(([, name, expr]) => [name, expr])),
};

test('the dashboard and the three alerts use metrics and attributes that exist', async (t) => {
  const { outbox } = await setUp(t);
  const end = instrumentation.observe(outbox);
  const names = await namesInPrometheus();
  end();
  assert.equal(Object.keys(expressions).length, 12);
  const used = new Set();
  for (const [what, expr] of Object.entries(expressions)) {
    const metrics = expr.match(/\b(?:sales_order_intake_outbox|messaging)_[a-z_]+_?(?=[{[)])/g) ?? [];
    assert.ok(metrics.length > 0, what);
    for (const name of metrics) {
      assert.ok(names.has(name), `${what}: ${name} is none of ${[...names].join(', ')}`);
      used.add(name.replace(/_(bucket|count)$/, ''));
    }
    for (const [, label] of expr.matchAll(/\b(\w+)=~?"/g))
      assert.match(label ?? '', /^(sales_order_intake_(state|pause_cause)|messaging_system)$/, what);
  }
  assert.equal(used.size, 5, 'every metric is on the dashboard');
  const ids = dashboard.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('Prometheus accepts the alerts and the expressions of the dashboard', {
  skip: !promtool && 'promtool is missing',
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const rules = Object.values(expressions).map((expr, index) => ({ record: `rule_${index}`, expr }));
  writeFileSync(join(folder, 'dashboard.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const check = (file) => execFileSync(String(promtool), ['check', 'rules', file], { encoding: 'utf8' });
  assert.match(check(join(GUIDE, 'alerts.yml')), /SUCCESS: 3 rules found/);
  assert.match(check(join(folder, 'dashboard.yml')), /SUCCESS: 12 rules found/);
});
