import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** What measures the machine runs alone. */
export default defineConfig({ ...tests, workers: 1, testMatch: '*.bench.ts' });
