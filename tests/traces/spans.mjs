/** Collects spans with the SDK of OpenTelemetry, and prints them as trees. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../node/installed.mjs';

const { SalesOrderInstrumentation } = await import(
  pathToFileURL(installedFile('dist/esm/opentelemetry/index.js')).href
);
export { SalesOrderInstrumentation };

const exporter = new InMemorySpanExporter();
export const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

export const instrumentation = new SalesOrderInstrumentation();
instrumentation.enable();

/** The attributes that each span of a kind has. The trees do not repeat them; tests of attributes check them. */
const CONSTANT =
  /^(http\.request\.method|server\.|url\.|messaging\.|sales_order_intake\.(order|company|entity)_id$)|pgboss|db\.namespace/;

/** Runs work in a span of the program. */
export function inSpan(name, work) {
  return trace.getTracer('shop').startActiveSpan(name, async (span) => {
    try {
      return await work(span);
    } finally {
      span.end();
    }
  });
}

/** Returns the spans that have ended since the last call. */
export function takeSpans() {
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  return spans;
}

/**
 * Returns the spans that have ended since the last call as text: children below their parents, in the order of their
 * ends.
 */
export function takeTrees() {
  return treesOf(takeSpans());
}

/** Returns spans as text; those of `known` are named by links. */
export function treesOf(spans, known = spans) {
  const isRoot = ({ parentSpanContext: parent }) =>
    !parent || !spans.some((span) => span.spanContext().spanId === parent.spanId);
  const nameOf = ({ spanId }) => known.find((span) => span.spanContext().spanId === spanId)?.name ?? 'an unknown span';
  const lines = (span, depth) => [
    `${'  '.repeat(depth)}${line(span, nameOf)}`,
    ...spans
      .filter(({ parentSpanContext: parent }) => parent?.spanId === span.spanContext().spanId)
      .flatMap((child) => lines(child, depth + 1)),
  ];
  return spans
    .filter(isRoot)
    .flatMap((span) => lines(span, 0))
    .join('\n');
}

/** Returns a tree of a test as it is printed, without the indentation of the file. */
export function textOf(tree) {
  const [indentation] = /^\n *| */.exec(tree) ?? [];
  return tree.trim().replaceAll(indentation ?? '', '\n');
}

function line({ name, kind, status, attributes, links }, nameOf) {
  const shown = Object.entries(attributes).filter(([key]) => !CONSTANT.test(key));
  return [
    name,
    kind === SpanKind.INTERNAL ? '' : SpanKind[kind],
    status.code === SpanStatusCode.ERROR ? 'ERROR' : '',
    ...shown.map(([key, value]) => `${key.replace(/^(http|sales_order_intake)\./, '')}=${value}`),
    ...links.map(({ context: linked }) => `→ ${nameOf(linked)}`),
  ]
    .filter(Boolean)
    .join(' ');
}
