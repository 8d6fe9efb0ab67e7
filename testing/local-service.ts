/** The reference service of the command line: orders, and the pages beside them. */
import { Intake } from './intake.js';
import { checkRates, checkRegistry, route, showOrders, type LocalRequest, type ServiceResponse } from './rules.js';
import { OrderStore, type OrderRecord } from './store.js';

export type { OrderRecord } from './store.js';
export { problem, relay, type Head, type ProblemName, type RelayDecision, type ServiceResponse } from './rules.js';

/** The number of requests in the list. */
const LISTED = 200;
/** The number of orders in a response, plus one that shows whether there are older ones. */
const SHOWN = 51;

export interface LocalServiceSettings {
  /** The companies, locations and integrators of a registry file, or all that are possible. The token covers all of them. */
  registry: { file: object } | 'everything';
  token: string;
  maxBodyBytes: number;
  /** Faults with their rates, such as `503=0.02`. */
  faults: readonly string[];
  /** The orders that are stored already, the oldest first. */
  saved: readonly OrderRecord[];
  /** Saves an order before it is acknowledged; throws if it can't. */
  save?: ((order: OrderRecord) => void) | undefined;
  /** Resolves with true if orders can be stored. */
  isReady(): Promise<boolean>;
}

/** The reply of the server: a response, or a file of the page's folder; null if it drops the connection. */
export interface Served {
  readonly response: ServiceResponse | { readonly path: string; readonly headers: ServiceResponse['headers'] } | null;
  readonly fault: string | null;
}

export interface LocalService {
  respond(request: LocalRequest, body: Uint8Array, signal?: AbortSignal): Promise<Served>;
}

/** Returns the problem with the faults or the registry, or null. */
export function checkLocalService(settings: Pick<LocalServiceSettings, 'faults' | 'registry' | 'token'>) {
  return { faults: checkRates(settings.faults), registry: checkRegistry(sourceOf(settings)) };
}

export function createLocalService(settings: LocalServiceSettings): LocalService {
  const { maxBodyBytes, faults, saved, save, isReady } = settings;
  const source = sourceOf(settings);
  const store = new OrderStore(saved, save);
  const intake = new Intake({ registry: () => source, maxBodyBytes, faults }, store);
  const requests: object[] = [];

  const order = async (request: LocalRequest, body: Uint8Array, signal?: AbortSignal): Promise<Served> => {
    const startedAt = performance.now();
    const { method, path, headers } = request;
    const { response, decision } = await intake.respond({ method, path, headers }, body, signal);
    requests.unshift({
      time: new Date().toISOString(),
      method: method.slice(0, 20),
      version: decision.version,
      orderId: decision.orderId,
      status: response?.status ?? null,
      fault: decision.fault,
      milliseconds: Math.round(performance.now() - startedAt),
    });
    requests.length = Math.min(requests.length, LISTED);
    return { response, fault: decision.fault };
  };

  return {
    async respond(request, body, signal) {
      const to = route(request, source);
      if (to === 'order') return order(request, body, signal);
      if (to === 'requests') return { response: listOf(requests), fault: null };
      if ('response' in to) return { response: to.response, fault: null };
      if ('probe' in to) return { response: (await isReady()) ? to.probe.succeeded : to.probe.failed, fault: null };
      if ('file' in to) return { response: to.file, fault: null };
      const { company, entity, before } = to.orders;
      const older = store.at(company, entity).filter(({ receipt }) => receipt < before);
      return { response: showOrders([company, entity], older.slice(-SHOWN).reverse(), source), fault: null };
    },
  };
}

function sourceOf({ registry, token }: Pick<LocalServiceSettings, 'registry' | 'token'>): string {
  return JSON.stringify(registry === 'everything' ? { everything: token } : { file: [registry.file, token] });
}

function listOf(requests: object[]): ServiceResponse {
  const headers = Object.entries({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  return { status: 200, headers, body: JSON.stringify({ requests }) };
}
