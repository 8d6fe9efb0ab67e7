/** Finds the system's Chromium and its driver: those that CHROMIUM and CHROMEDRIVER name, or those in the PATH. */
import { fail, programOf } from './run.mjs';

/**
 * Two pages of Chromium's own address field belong to each window, and cost more than the window itself. The rest is what
 * Playwright turns off: of two lists, Chromium takes the last one.
 */
const FEATURES_OFF = `
  WebUIOmniboxPopup WebUIOmniboxAimPopup AimEnabled AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
  HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter
  NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning`;

/** No window, no telemetry and updates, and no sandbox, which containers do not allow; the pages are our own. */
export const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.trim().replaceAll(/\s+/g, ',')}`,
];

/** Returns the path of Chromium, or `undefined`. */
export const findChromium = () => programOf('CHROMIUM', 'chromium', 'chromium-browser', 'google-chrome');

/** Returns the path of its driver, or `undefined`. */
export const findDriver = () => programOf('CHROMEDRIVER', 'chromedriver');

/** Returns the path of Chromium; ends the script with a message if there is none. */
export function chromium() {
  return findChromium() ?? fail('Chromium is missing: run `make setup`, or name it in CHROMIUM');
}

/** Returns the path of its driver; ends the script with a message if there is none. */
export function chromedriver() {
  return findDriver() ?? fail("Chromium's driver is missing: run `make setup`, or name it in CHROMEDRIVER");
}
