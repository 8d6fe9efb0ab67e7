// A user's program with OpenTelemetry, on Node (tests/types/compile.test.mjs). It is never run.
import { metrics, trace } from '@opentelemetry/api';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { SalesOrderInstrumentation } from 'sales-order-intake/opentelemetry';
import type { Outbox } from 'sales-order-intake/outbox';

const instrumentation = new SalesOrderInstrumentation();
const tracerProvider = new TracerProvider();
const disable: () => void = registerInstrumentations({ instrumentations: [instrumentation], tracerProvider });
instrumentation.setTracerProvider(trace.getTracerProvider());
instrumentation.setMeterProvider(metrics.getMeterProvider());
instrumentation.enable();
export const observed = (outbox: Outbox): (() => void) => instrumentation.observe(outbox);
const isEnabled: boolean = instrumentation.getConfig().enabled;
if (isEnabled) disable();
