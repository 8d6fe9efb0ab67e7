import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Tests that measure run alone. */
export default defineConfig({ ...tests, workers: 1, testMatch: '*.bench.ts' });
