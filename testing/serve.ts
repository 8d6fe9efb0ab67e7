/** What the command line serves tests with, and judges the relay's requests by. Not an entry: only the command line imports it, as `#serve`. */
import * as local from './local-service.js';
import { withService } from './rules.js';
import { withCore } from '../pkg-template/src/loader.js';
import { coreSource, fatesSource } from '../pkg-template/src/core-source.js';
import { serviceSource } from './service-source.js';

export const relay = withService(serviceSource, local.relay);
export const problem = withService(serviceSource, local.problem);
export const createLocalService = withService(
  serviceSource,
  withCore(coreSource, local.createLocalService, fatesSource),
);
export const checkLocalService = withService(serviceSource, local.checkLocalService);
